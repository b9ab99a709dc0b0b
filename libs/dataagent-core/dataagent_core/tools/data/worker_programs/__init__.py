"""What runs inside the worker processes, where databases are opened and nowhere else.

These modules import each other relatively, the standard library and the engines' packages, and
nothing of DataAgent: their folder alone is shown in the sandbox.
"""
