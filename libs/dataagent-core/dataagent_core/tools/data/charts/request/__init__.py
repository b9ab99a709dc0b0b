"""What a person asked of a chart."""
