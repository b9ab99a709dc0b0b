"""What is drawn at the prompt: `screen.py` prints for good, `layout.py` says where things stand."""
