"""Chooses one of many rows: arrows, or typing to filter the list, then Enter."""

from collections.abc import Sequence

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import (
    BufferControl,
    FormattedTextControl,
    HSplit,
    Layout,
    Window,
)
from prompt_toolkit.layout.processors import BeforeInput

from dataagent_cli.output.text_width import cut
from dataagent_cli.repl.limits import ESCAPE_S, ESCAPE_THEN_KEY_S

ROWS_MAX = 10


class ListChoice:
    """The remaining rows, and the marked one. Pure."""

    def __init__(self, rows: Sequence[str]) -> None:
        self._rows = rows
        self.remaining = list(range(len(rows)))
        self.marked = 0

    def narrow(self, words: str) -> None:
        """Keep the rows that contain every word."""
        wanted = words.lower().split()
        self.remaining = [
            number
            for number, row in enumerate(self._rows)
            if all(word in row.lower() for word in wanted)
        ]
        self.marked = 0

    def move(self, by: int) -> None:
        if self.remaining:
            self.marked = (self.marked + by) % len(self.remaining)

    @property
    def selected(self) -> int | None:
        return self.remaining[self.marked] if self.remaining else None

    def lines(self, width_cells: int) -> StyleAndTextTuples:
        """Draw the rows around the marked one."""
        first = max(0, min(self.marked - ROWS_MAX // 2, len(self.remaining) - ROWS_MAX))
        fragments: StyleAndTextTuples = []
        for place in range(first, min(first + ROWS_MAX, len(self.remaining))):
            marked = place == self.marked
            text = cut(
                f"{'>' if marked else ' '} {self._rows[self.remaining[place]]}", width_cells - 1
            )
            fragments.append(("bold" if marked else "", text + "\n"))
        return fragments


async def pick(title: str, rows: Sequence[str], how: str) -> int | None:
    """Let the person choose a row; None if they leave."""
    choice = ListChoice(rows)
    words = Buffer(multiline=False)

    def narrow(buffer: Buffer) -> None:
        choice.narrow(buffer.text)

    words.on_text_changed += narrow
    application: Application[int | None] = Application(
        erase_when_done=True, key_bindings=_keys(choice)
    )
    application.output.enable_cpr = False  # pyright: ignore[reportAttributeAccessIssue]
    application.ttimeoutlen, application.timeoutlen = ESCAPE_S, ESCAPE_THEN_KEY_S

    def drawn() -> StyleAndTextTuples:
        return choice.lines(application.output.get_size().columns)

    application.layout = Layout(
        HSplit(
            [
                Window(BufferControl(words, input_processors=[BeforeInput(f"{title} ")]), height=1),
                Window(FormattedTextControl(drawn), dont_extend_height=True),
                Window(FormattedTextControl([("dim", how)]), height=1),
            ]
        )
    )
    return await application.run_async(set_exception_handler=False)


def _keys(choice: ListChoice) -> KeyBindings:
    keys = KeyBindings()

    @keys.add("up")
    def _up(event: KeyPressEvent) -> None:
        del event
        choice.move(-1)

    @keys.add("down")
    @keys.add("tab")
    def _down(event: KeyPressEvent) -> None:
        del event
        choice.move(1)

    @keys.add("enter")
    def _take(event: KeyPressEvent) -> None:
        if choice.selected is not None:
            event.app.exit(result=choice.selected)

    @keys.add("escape")
    @keys.add("c-c")
    @keys.add("c-d")
    @keys.add(Keys.SIGINT)
    def _leave(event: KeyPressEvent) -> None:
        event.app.exit(result=None)

    return keys
