"""Pins: what must survive word for word when older messages are left out."""
