"""DataAgent in a terminal: one person, one command, `dataagent`.

Start reading at `main.py`, then `run/conduct.py`. Everything an agent does is core's; here it is
only ordered (`commands/`), put together (`wiring.py`), shown (`display/`) and decided about
(`approval/`).
"""
