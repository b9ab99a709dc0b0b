"""Forgets a memory wherever it is kept, and shows that nothing of it is left.

notes_file.py      lines of `agent.md` that hold its text
memory_eraser.py   the cascade, and the receipt
"""
