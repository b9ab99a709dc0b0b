"""What can be asked, and the engine that answers for each.

spec.py      a source as a person described it
kinds.py     from a path or a URL to a source; formats.py, what a file is from its name
port.py      what every engine can do
worker.py    the process in which an engine's program runs, and how it is spoken to
program.py   how a program of inside/ is started; plain_process.py, without a sandbox
file_engine.py   files, folders, SQLite, DuckDB and earlier results: file_worker.py starts the
                 worker, held_files.py holds its files open, taking_out.py takes its answer out
"""
