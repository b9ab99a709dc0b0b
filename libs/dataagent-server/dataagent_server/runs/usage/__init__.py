"""Usage and budgets as people see and set them; counting is `stores/usage.py`'s."""
