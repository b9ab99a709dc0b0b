"""Starting, freezing and ending processes."""
