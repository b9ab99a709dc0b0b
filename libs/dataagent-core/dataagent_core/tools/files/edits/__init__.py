"""How the old text of an edit is matched and replaced."""
