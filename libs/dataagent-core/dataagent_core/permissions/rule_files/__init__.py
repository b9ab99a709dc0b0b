"""The files that hold rules, trusted folders and allowed registries: read, written, named."""
