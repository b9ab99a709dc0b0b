"""Worker processes that hold a connection to a source, and their pool."""
