"""Used by every part of the server, and using none of them: errors, ids, names, logs."""
