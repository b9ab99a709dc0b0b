"""Shows a long paste in the input as one word, and restores it when sent. Pure."""

from dataagent_cli.messages import Messages
from dataagent_cli.repl.limits import PASTED_CHARS_MAX, PASTED_LINES_MAX, PASTES_KEPT_MAX


class Pastes:
    """Remembers the text of each word; a word that was edited is only a word."""

    def __init__(self, say: Messages) -> None:
        self._say = say
        self._texts: dict[str, str] = {}

    def fold(self, text: str) -> str:
        """Return the text to insert for a paste."""
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        lines = text.count("\n") + 1
        if lines <= PASTED_LINES_MAX and len(text) <= PASTED_CHARS_MAX:
            return text
        word = self._word(lines, len(text))
        self._texts[word] = text
        while len(self._texts) > PASTES_KEPT_MAX:
            del self._texts[next(iter(self._texts))]
        return word

    def unfold(self, text: str) -> str:
        """Replace every word by its paste."""
        for word, pasted in self._texts.items():
            # Once: the pasted text may itself contain such a word.
            text = text.replace(word, pasted, 1)
        return text

    def _word(self, lines: int, chars: int) -> str:
        if lines > PASTED_LINES_MAX:
            word = self._say("repl_pasted_lines", count=lines)
        else:
            word = self._say("repl_pasted_chars", count=chars)
        number, free = 1, word
        while free in self._texts:
            number += 1
            free = f"{word[:-1]} #{number}]"
        return free
