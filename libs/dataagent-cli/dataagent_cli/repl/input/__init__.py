"""What the person types at the prompt: keys, completion, history, pastes, messages that wait."""
