"""The databases and folders that users and agents of a tenant may query.

model.py, service.py  a source as it is shown; create, read, change, delete, with audit
source_places.py      where a source may be: an allowed address, a folder the operator opened
source_sealer.py      rows to core's `SourceSpec`, with encrypted addresses
source_rows.py        the SQL
file_readings.py      how data files of a workspace are read, by path
tenant_sources.py        core's `SourceStore` for one tenant and project
"""
