"""The prompt_toolkit application of the prompt: buffers, layout, style and the two ways to end it.

A terminal that becomes narrower wraps the drawn prompt onto more rows than were drawn.
`InlineApplication` erases those rows too; otherwise pieces of the prompt would stay on the screen.
"""

import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import Completer
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.history import History
from prompt_toolkit.input import create_input
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.layout.screen import Screen as DrawnScreen
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.styles import Style

from dataagent_cli.output.streams import ERASE_BELOW
from dataagent_cli.repl.input.answer_line import AnswerLine
from dataagent_cli.repl.input.completion import is_completed
from dataagent_cli.repl.limits import ESCAPE_S, ESCAPE_THEN_KEY_S, FRAME_S
from dataagent_cli.repl.screen.layout import View, build_layout
from dataagent_cli.repl.screen.screen import Screen
from dataagent_cli.repl.screen.screen_output import ScreenOutput

_STYLE = Style.from_dict(
    {
        "prompt": "bold fg:ansicyan",
        "placeholder": "dim",
        "answer-label": "bold fg:ansiyellow",
        "queued": "dim",
        "hint": "fg:ansiyellow",
        "status": "dim",
        "status.mode": "nodim bold",
        "status.working": "nodim fg:ansiyellow",
        "status.danger": "nodim bold fg:ansired",
    }
)


class InlineApplication(Application[None]):
    """Knows the width of the terminal at its last drawing."""

    _drawn_cells = 0

    def _on_resize(self) -> None:
        drawn = self.renderer.last_rendered_screen
        columns = self.output.get_size().columns
        if drawn is not None and columns < self._drawn_cells and rewraps_lines(os.environ):
            cursor = drawn.get_cursor_position(self.layout.current_window)
            self.output.cursor_up(count_added_rows(drawn, cursor.x, cursor.y, columns))
        super()._on_resize()

    def remembers_width(self, _: object = None) -> None:
        """Store the width after each drawing."""
        self._drawn_cells = self.output.get_size().columns


def count_added_rows(drawn: DrawnScreen, x: int, y: int, columns: int) -> int:
    """Count the rows that the drawing above the cursor gains when it is wrapped again."""
    above = sum(max(0, _width(drawn, row) - 1) // columns for row in range(y))
    return above + x // columns


def rewraps_lines(environment: Mapping[str, str]) -> bool:
    """Say whether the terminal wraps drawn lines again; two old ones cut them off."""
    return "XTERM_VERSION" not in environment and environment.get("TERM") != "linux"


def _width(drawn: DrawnScreen, row: int) -> int:
    cells = drawn.data_buffer[row]
    return max((x + 1 for x, cell in cells.items() if cell.char.strip()), default=0)


class PromptApplication:
    """What the person sees and types into; the shell gives it meaning."""

    def __init__(self, history: History) -> None:
        self.draft = Buffer(
            name="draft",
            multiline=True,
            history=history,
            complete_while_typing=Condition(lambda: is_completed(self.draft.document)),
        )
        self.application = InlineApplication(
            full_screen=False,
            erase_when_done=True,
            style=_STYLE,
            min_redraw_interval=FRAME_S,
            input=create_input(sys.stdin),
            output=_output(),
        )
        self.application.after_render += self.application.remembers_width
        self.application.ttimeoutlen = ESCAPE_S
        self.application.timeoutlen = ESCAPE_THEN_KEY_S
        self.screen = Screen(self.application)
        self.answer_line = AnswerLine(self.draft, self._changed)
        self.output = ScreenOutput(self.screen, self.answer_line)
        self.answer_line.echo = self.output.note
        # The person has left: nothing is drawn any more.
        self.is_over = False

    def build(self, view: View, keys: KeyBindings, completer: Completer) -> None:
        """Set the shell's parts."""
        self.draft.completer = completer
        self.application.layout = build_layout(view, self.draft, self.answer_line.buffer)
        self.application.key_bindings = keys

    async def run(self, begin: Callable[[], None]) -> None:
        """Draw, and run until the person leaves."""
        try:
            await self.application.run_async(
                pre_run=begin, set_exception_handler=False, handle_sigint=True
            )
        finally:
            self.is_over = True

    def leave(self, error: BaseException | None = None) -> None:
        """End the application once; an error is raised by `run`."""
        if self.application.is_running and not self.application.is_done:
            self.screen.flush()
            if error is None:
                self.application.exit()
            else:
                self.application.exit(exception=error)

    @property
    def current_buffer(self) -> Buffer:
        return self.answer_line.buffer if self.answer_line.active else self.draft

    @property
    def typed_text(self) -> str:
        return self.current_buffer.text

    def remember(self, text: str) -> None:
        """Store a sent text in the history."""
        if text.strip():
            self.draft.history.append_string(text)

    def clear_draft(self) -> None:
        """Empty the input."""
        self.draft.reset()
        # Now, not with the next drawing: a search may be the next key.
        self.draft.load_history_if_not_yet_loaded()
        self.answer_line.draft_changed()

    def write(self, text: str) -> None:
        """Set the text of the input."""
        self.draft.set_document(Document(text))

    def write_before(self, text: str) -> None:
        """Insert a text before the text of the input."""
        if text:
            own = self.draft.text
            self.write(f"{text}\n{own}" if own else text)

    def _changed(self) -> None:
        wanted = self.current_buffer
        layout = self.application.layout
        if layout.is_searching and wanted is self.draft:
            # The person ends a search of the history.
            self.screen.draw()
            return
        # Before the first drawing nothing can have the focus.
        with suppress(ValueError):
            if layout.current_buffer is not wanted:
                for search in layout.search_links:
                    search.buffer.reset()
                layout.search_links.clear()
                layout.focus(wanted)
        self.screen.draw()


class InlineOutput(Vt100_Output):
    """Erases without leaving frames in the scroll-back."""

    def erase_down(self) -> None:
        self.write_raw(ERASE_BELOW)


def _output() -> Vt100_Output:
    # The environment decides: `NO_COLOR` counts here too.
    output = InlineOutput.from_pty(sys.stdout, default_color_depth=ColorDepth.from_env())
    # An inline prompt needs no cursor position report, and none can arrive too late.
    output.enable_cpr = False
    return output
