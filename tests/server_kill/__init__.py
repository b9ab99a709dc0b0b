"""Real servers that are killed, frozen, stopped and cut off in the middle of runs.

`installation.py` starts them on one home and one database, `clients.py` reads as people's programs do, and
`story.py` says what must be true of what was read. The model is a script behind real HTTP.
"""
