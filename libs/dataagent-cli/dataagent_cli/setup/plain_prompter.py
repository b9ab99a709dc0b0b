"""The first setup at a plain terminal: lines out, lines in."""

import termios
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any

from dataagent_cli.approval.keyboard import Keyboard
from dataagent_cli.messages import Messages
from dataagent_cli.output.sanitize import one_line, sanitize_text
from dataagent_cli.output.streams import Output

_LOCAL_FLAGS = 3
WRONG_ANSWERS_MAX = 20


class PlainPrompter:
    """Asks on stderr and reads the terminal behind a descriptor."""

    def __init__(self, descriptor: int, output: Output, say: Messages) -> None:
        self._descriptor = descriptor
        self._keyboard = Keyboard(descriptor)
        self._output = output
        self._say = say

    def tell(self, text: str) -> None:
        self._output.note(sanitize_text(text))

    async def choose(self, question: str, options: Sequence[str]) -> int | None:
        self._output.note(sanitize_text(question), bold=True)
        for number, option in enumerate(options, 1):
            self._output.note(f"  {number}. {one_line(option)}")
        for _ in range(WRONG_ANSWERS_MAX):
            typed = await self.line(self._say("setup_choose"))
            if typed is None:
                return None
            answer = typed.strip()
            if answer.isascii() and answer.isdecimal() and 1 <= int(answer) <= len(options):
                return int(answer) - 1
            problem = self._say("setup_no_such", answer=one_line(answer)[:40], count=len(options))
            self._output.note(problem)
        return None

    async def line(self, question: str) -> str | None:
        self._output.prompt(question)
        return await self._keyboard.line()

    async def secret(self, question: str) -> str | None:
        # Before the question is shown: the person may paste at once.
        with _no_echo(self._descriptor):
            self._output.prompt(question)
            typed = await self._keyboard.line()
        # The line break was not echoed either.
        self._output.note()
        return typed


@contextmanager
def _no_echo(descriptor: int) -> Generator[None]:
    before = termios.tcgetattr(descriptor)
    silent: list[Any] = [*before]
    silent[_LOCAL_FLAGS] &= ~(termios.ECHO | termios.ECHONL)
    termios.tcsetattr(descriptor, termios.TCSAFLUSH, silent)
    try:
        yield
    finally:
        # Also after Ctrl-C: a terminal without echo would seem broken.
        termios.tcsetattr(descriptor, termios.TCSAFLUSH, before)
