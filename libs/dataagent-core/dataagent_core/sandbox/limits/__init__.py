"""What a command may use: memory, processes, files, time."""
