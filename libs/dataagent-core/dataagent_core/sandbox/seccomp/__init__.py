"""The system calls a sandboxed program may make."""
