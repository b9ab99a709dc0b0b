"""A checked statement as it is run."""
