"""Edits with a known result: changes people made, as a model would ask for them, with its faults.

`versions` finds pairs of files, `changes` makes edits of their differences, `faults` spoils the
strings of an edit, `outcomes` applies them and counts. Nothing is downloaded.
"""
