"""What runs a query on a kind of source."""
