"""What people said for good: their "always", and the rules they wrote."""
