"""Input at the prompt: keys, completion, history, pastes, queued messages."""
