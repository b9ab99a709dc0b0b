"""What people allowed for good: their "always", kept for later sessions."""
