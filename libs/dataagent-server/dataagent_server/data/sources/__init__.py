"""The databases and folders a tenant's people and agents may ask.

model.py          a source as it is shown, and what may be said of one
source_places.py  where a source may be: an address that is allowed, a folder the operator opened
source_sealer.py  rows and core's `SourceSpec`, with the addresses encrypted in between
source_rows.py    the SQL
file_readings.py  how data files of a workspace are read, by path
service.py        adding, seeing, changing, removing; with rights and record
tenant_book.py    core's `SourceBook` for one tenant and project
"""
