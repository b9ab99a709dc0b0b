"""What a tool declares about itself, and how one is made."""
