"""Kept results on the server: a row each, a Parquet file each, counted in the person's quota.

folder.py    where a person's files are
rows.py      the SQL; a row and the quota change in one transaction
store.py     core's `Results` for one person
sweep.py     what has lived its days
"""
