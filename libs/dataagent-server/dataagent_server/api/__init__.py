"""REST: routes only. What they ask for is named in `deps.py`, what they answer in `models/`."""
