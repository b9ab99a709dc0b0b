"""Data sources, and the engines that run queries on them.

source_spec.py    a source as a person described it; `source_store.py` keeps them
source_kinds.py   from a path or URL to a source; `file_formats.py`: kind of a file by its name
engines/          one engine per kind of source, and the pool of open engines
workers/          the sandboxed processes in which the programs of `worker_programs/` run
writes/           statements that change a source, after approval
"""
