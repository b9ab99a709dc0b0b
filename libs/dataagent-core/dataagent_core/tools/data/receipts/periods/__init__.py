"""Which period a figure is about."""
