"""`dataagent permissions`: list, change and explain rules. One file per verb."""
