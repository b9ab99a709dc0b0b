"""SQL text to a tree, in the dialect of its source."""
