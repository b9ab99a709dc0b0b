"""Git in the sandbox: which repository a command sees, and with which configuration."""
