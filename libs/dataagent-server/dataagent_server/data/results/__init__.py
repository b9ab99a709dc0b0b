"""Stored results on the server: a row and a Parquet file each, counted in the quota of the user.

result_folder.py    where the files of a user are
result_rows.py      the SQL; a row and the quota change in one transaction
person_results.py   core's `ResultStore` for one user
sweep_results.py    removes expired results
"""
