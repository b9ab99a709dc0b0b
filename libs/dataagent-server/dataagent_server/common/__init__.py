"""What every part of the server may use and that uses none of them: errors, ids, names, logs."""
