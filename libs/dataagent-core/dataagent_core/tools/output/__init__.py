"""What a tool gives back: bounded, kept, as artifacts and diffs."""
