"""The files of a workspace: paths, lists, downloads, uploads."""
