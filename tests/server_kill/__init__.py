"""Real servers that are killed, frozen, stopped and disconnected during runs.

`shared_home.py` starts them on one home and one database, `clients.py` reads events as client
programs do, and `story.py` checks what was read. The model is a script behind real HTTP.
"""
