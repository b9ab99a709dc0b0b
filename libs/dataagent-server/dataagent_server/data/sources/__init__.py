"""The databases and folders that users and agents of a tenant may query.

data_source.py          a source as it is shown
data_source_service.py  create, read, change and delete sources, with audit
source_places.py        where a source may be: an allowed address, a folder the operator opened
source_sealer.py        rows to core's `SourceSpec`, with encrypted addresses
source_rows.py          the SQL
file_readings.py        how data files of a workspace are read, by path
tenant_sources.py       core's `SourceStore` for one tenant and project
"""
