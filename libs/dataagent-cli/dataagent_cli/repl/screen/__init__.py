"""Drawing at the prompt: `screen.py` prints above it, `layout.py` arranges its parts."""
