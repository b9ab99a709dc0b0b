"""A text of anybody as a line of a list in a prompt: it cannot end the list or add lines to it."""


def make_prompt_line(text: str) -> str:
    """Return the text on one line, without tags and what cannot be seen."""
    line = " ".join(text.split())
    return "".join(c for c in line if c.isprintable() and c not in "<>")
