"""The line in which a question is answered, apart from the message the person is writing.

A question does not take over while a message is being written: keys for one must not answer the
other. It waits until the input is empty, or until the person sets their text aside.
"""

import asyncio
from collections.abc import Callable

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document


class AnswerLine:
    """A keyboard for `approval/`: one line at a time."""

    def __init__(self, draft: Buffer, changed: Callable[[], None]) -> None:
        self.buffer = Buffer(name="answer", multiline=False)
        self.label = ""
        # Whether the person is answering now.
        self.active = False
        # Whether a question waits while a message is being written.
        self.waits = False
        self.echo: Callable[[str], None] = lambda _: None
        self._draft = draft
        self._changed = changed
        self._set_aside: Document | None = None
        self._free = asyncio.Event()
        self._line: asyncio.Future[str | None] | None = None
        draft.on_text_changed += self.draft_changed

    def forget_what_was_typed(self) -> None:
        """Do nothing: this line starts empty with each question."""

    async def line(self, begun: str = "") -> str | None:
        """Wait for a line; None if the person leaves."""
        await self._until_free()
        self.buffer.set_document(Document(begun), bypass_readonly=True)
        self._line = asyncio.get_running_loop().create_future()
        self.active = True
        self._changed()
        try:
            text = await self._line
        finally:
            self.active = False
            self._line = None
            self.buffer.reset()
            self._give_back()
            self._changed()
        if text is not None:
            self.echo(self.label + text)
        return text

    def submit(self) -> None:
        """Take the text of the line."""
        self._settle(self.buffer.text)

    def leave(self) -> None:
        """End the line without an answer."""
        self._settle(None)

    def set_draft_aside(self) -> None:
        """Empty the input for the question; the text comes back after the answer."""
        self._set_aside = self._draft.document
        self._draft.reset()
        self.draft_changed()

    def _settle(self, text: str | None) -> None:
        if self._line is not None and not self._line.done():
            self._line.set_result(text)

    async def _until_free(self) -> None:
        self.waits = True
        self.draft_changed()
        try:
            await self._free.wait()
        finally:
            self.waits = False

    def draft_changed(self, _: object = None) -> None:
        """Check whether the input is empty; a buffer that is reset does not report it."""
        if self._draft.text:
            self._free.clear()
        else:
            self._free.set()
        self._changed()

    def _give_back(self) -> None:
        if self._set_aside is not None:
            self._draft.set_document(self._set_aside)
            self._set_aside = None
