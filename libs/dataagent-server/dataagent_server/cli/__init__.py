"""`dataagent-server`: the commands of the operator."""
