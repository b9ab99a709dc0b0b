"""Kept results on the server: a row each, a Parquet file each, counted in the person's quota.

result_folder.py   where a person's files are
result_rows.py     the SQL; a row and the quota change in one transaction
person_results.py  core's `Results` for one person
sweep_results.py   what has lived its days
"""
