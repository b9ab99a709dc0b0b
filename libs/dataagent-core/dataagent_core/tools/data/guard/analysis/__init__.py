"""What a parsed statement reads and does."""
