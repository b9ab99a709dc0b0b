"""What is shown of runs: lists, S2's executions and checkpoints."""
