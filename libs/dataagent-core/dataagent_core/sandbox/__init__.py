"""The sandbox: where commands of an agent run and its files are opened, isolated from the host."""
