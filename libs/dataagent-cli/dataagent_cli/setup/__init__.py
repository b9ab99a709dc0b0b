"""The first minutes: from no model to one that works, at a terminal.

`first_start.py` is the conversation, over a small port (`prompter.py`) that a plain terminal
(`plain_prompter.py`) fulfils. Beneath it are pure parts (`keys.py`, `model_servers.py`) and those
that reach the network and the disk: `probe.py`, `save.py`.
"""
