"""The files a person writes: how they are read and changed."""
