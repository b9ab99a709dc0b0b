"""One file per command: its options, and nothing that takes long to import."""
