"""People: who they are, how they sign in, and the keys they use."""
