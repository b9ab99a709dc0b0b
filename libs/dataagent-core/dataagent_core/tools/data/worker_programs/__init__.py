"""The programs of the worker processes, the only places that open databases.

These modules import each other relatively, the standard library and the engines' packages, but
nothing of DataAgent: the sandbox shows only their folder.
"""
