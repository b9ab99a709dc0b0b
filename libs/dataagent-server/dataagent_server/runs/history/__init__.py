"""Reads of runs: lists, S2's executions and checkpoints."""
