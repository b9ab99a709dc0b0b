"""The checkpoints of runs, and how a history is carried from run to run."""
