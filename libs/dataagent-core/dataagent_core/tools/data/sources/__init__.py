"""What can be asked, and the engine that answers for each.

source_spec.py      a source as a person described it source_kinds.py     from a path or a URL to a
source; file_formats.py, what a file is from its name tools/data/sources/engines/data_engine.py
what every engine can do tools/data/sources/workers/worker.py    the process in which an engine's
program runs, and how it is spoken to tools/data/sources/workers/worker_command.py   how a program
of inside/ is started; tools/data/sources/workers/plain_process.py, without a sandbox
tools/data/sources/engines/file_engine.py   files, folders, SQLite, DuckDB and earlier results:
tools/data/sources/workers/file_worker_process.py starts the
                 worker, tools/data/sources/workers/source_files.py holds its files open,
                 tools/data/sources/workers/output_transfer.py takes its answer out
"""
