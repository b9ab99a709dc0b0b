"""The middleware of every request, as plain ASGI so that streams pass untouched; see `stack.py`."""
