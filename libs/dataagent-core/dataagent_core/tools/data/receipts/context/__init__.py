"""What the conversation around a figure says of it."""
