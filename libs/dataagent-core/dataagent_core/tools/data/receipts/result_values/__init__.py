"""The values of a result that a figure may come from."""
