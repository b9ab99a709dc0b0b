"""A tool call from its arguments to its outcome: admission, execution, events."""
