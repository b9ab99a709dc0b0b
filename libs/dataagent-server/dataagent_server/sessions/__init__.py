"""Sessions for users: create, list, search, rename, move and delete."""
