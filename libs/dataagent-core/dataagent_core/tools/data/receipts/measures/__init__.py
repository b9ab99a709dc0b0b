"""Which measure a figure is about."""
