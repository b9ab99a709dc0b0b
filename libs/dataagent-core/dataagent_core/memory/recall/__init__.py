"""What a model is told of memories, and what a log says of them."""
