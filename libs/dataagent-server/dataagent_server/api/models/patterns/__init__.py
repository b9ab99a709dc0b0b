"""Interaction patterns and offers of them, as the API takes and shows them."""
