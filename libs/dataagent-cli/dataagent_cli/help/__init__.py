"""Help in the person's language, the manual page, and what the Tab key finds."""

# Set by a shell that asks what could be typed next.
COMPLETION_VARIABLE = "_DATAAGENT_COMPLETE"
