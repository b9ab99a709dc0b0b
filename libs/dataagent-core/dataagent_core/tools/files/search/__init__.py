"""Finding files by name and by content, with ripgrep or without, to the same result.

ripgrep only proposes files. Which of them count, and what is shown of them, is always decided
here, through the safe root: so the two ways cannot differ, and a link swapped in under ripgrep's
feet leads nowhere.
"""
