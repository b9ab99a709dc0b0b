"""DataAgent in a terminal: one person, one command, `dataagent`.

Start reading at `main.py`, then `run/one_turn.py`. Core does everything an agent does; this package
holds the commands (`commands/`), composes the parts (`wiring.py`), renders events (`transcript/`)
and asks the person for decisions (`approval/`).
"""
