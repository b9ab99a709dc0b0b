"""What an episode says: entities, relations, and things worth remembering (S2 §11.2)."""
