"""Long lists of names, written as people read them."""


def names(text: str) -> frozenset[str]:
    """Make a set of the names in a text."""
    return frozenset(text.split())
