"""The first setup: from no model to one that works, at a terminal.

`first_start.py` asks the questions, through a small port (`prompter.py`) that a plain terminal
(`plain_prompter.py`) implements. Below are pure parts (`keys.py`, `model_servers.py`) and parts
that use the network and the disk: `probe.py`, `save.py`.
"""
