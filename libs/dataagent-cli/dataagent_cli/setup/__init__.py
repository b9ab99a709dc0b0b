"""The first minutes: from no model to one that works, at a terminal.

`first_minutes.py` is the conversation, over a small port (`asking.py`) that a plain terminal
(`plain.py`) or a richer prompt fulfils. Beneath it pure parts (`keys.py`, `servers.py`) and those
that touch the world: `probing.py`, `trying.py`, `saving.py`.
"""
