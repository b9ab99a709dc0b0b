"""`dataagent run`: a conversation of one turn. Start at `one_turn.py`."""
