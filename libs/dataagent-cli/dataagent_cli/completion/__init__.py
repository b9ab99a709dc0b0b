"""What the Tab key finds: scripts for the shells, and values that only this person's files know."""

VARIABLE = "_DATAAGENT_COMPLETE"
