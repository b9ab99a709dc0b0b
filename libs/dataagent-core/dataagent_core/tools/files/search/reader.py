"""Where the reading of a pattern stands."""

from dataclasses import dataclass

from dataagent_core.errors import ValidationError


@dataclass(slots=True)
class Reader:
    """A pattern read from left to right."""

    pattern: str
    ignore_case: bool
    at: int = 0

    def refuse(self, why: str) -> ValidationError:
        """Say why, and at which character, the pattern cannot be used."""
        return ValidationError(
            f"The pattern {self.pattern!r} is refused at character {self.at + 1}: {why}."
        )

    def begins(self, text: str) -> bool:
        """Say whether what comes next begins like this."""
        return self.pattern.startswith(text, self.at)

    def take(self, count: int = 1) -> str:
        """Go on, and give what was passed."""
        taken = self.pattern[self.at : self.at + count]
        self.at += count
        return taken

    def plain(self) -> str:
        """Take one character that stands for itself."""
        char = self.pattern[self.at]
        if char in "\n\0" or "\ud800" <= char <= "\udfff":
            raise self.refuse("grep looks at one line of text at a time; this is no part of a line")
        return self.take()

    def escaped_letter(self) -> str:
        """Give the character after a backslash, or nothing where there is no escape."""
        return self.pattern[self.at + 1 : self.at + 2] if self.begins("\\") else ""
