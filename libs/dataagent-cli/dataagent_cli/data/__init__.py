"""Data from the command line, without a model: the same desk, guard and results."""
