"""What a message brings along: files, sources, resources, pictures."""
