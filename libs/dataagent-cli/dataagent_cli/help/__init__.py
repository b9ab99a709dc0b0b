"""Help in the person's language, the manual page, and completion for the Tab key."""

# Set by a shell that asks for completions.
COMPLETION_VARIABLE = "_DATAAGENT_COMPLETE"
