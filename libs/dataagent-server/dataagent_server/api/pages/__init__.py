"""The pages of a server besides the console: self-contained, one file each."""
