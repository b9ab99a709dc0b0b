"""DataAgent in a terminal: one person, one command, `dataagent`.

Start reading at `main.py`, then `run/one_turn.py`. Everything an agent does is core's; here it is
only ordered (`commands/`), put together (`wiring.py`), shown (`transcript/`) and decided about
(`approval/`).
"""
