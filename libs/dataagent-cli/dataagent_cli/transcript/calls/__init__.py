"""Tool calls in the transcript: their lines, diffs, files, and those of sub-agents."""
