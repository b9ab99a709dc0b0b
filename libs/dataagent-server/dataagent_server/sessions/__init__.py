"""Sessions as people see them: made, listed, found again, renamed, moved and deleted."""
