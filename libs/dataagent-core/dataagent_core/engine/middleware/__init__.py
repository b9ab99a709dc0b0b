"""What wraps model and tool calls; the order is `engine/stack.py`."""
