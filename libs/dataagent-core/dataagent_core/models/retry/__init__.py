"""What a failed model call means, and when it is tried again."""
