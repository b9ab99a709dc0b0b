"""What is known of single programs: which of their words only look, and which do more."""
