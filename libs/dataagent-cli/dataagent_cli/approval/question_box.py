"""The question on the screen: a title, the tool call behind a bar, the choices below a rule."""

from collections.abc import Sequence

from rich.cells import cell_len

from dataagent_cli.approval.action_lines import BAR
from dataagent_cli.messages import Messages
from dataagent_cli.output.streams import Output
from dataagent_cli.output.text_width import fold
from dataagent_cli.transcript.calls.diff import ScreenLine, shorten_lines

QUESTION_LINES_MAX = 60
# Between two choices on one line.
_GAP = "   "


class QuestionBox:
    """Shows the beginning of a long tool call, and all of it on request.

    `whole` shows all of it at once, because an approval covers every line.
    """

    def __init__(
        self,
        title: str,
        lines: list[ScreenLine],
        output: Output,
        say: Messages,
        *,
        whole: bool = False,
    ) -> None:
        self._title = title
        self._lines = lines
        self._lines_max = len(lines) if whole else QUESTION_LINES_MAX
        self._output = output
        self._say = say

    def show(self) -> None:
        self._output.note()
        write_heading(self._title, self._output)
        kept, more = shorten_lines(self._lines, self._lines_max)
        self._write(kept)
        choices = self._say("choices").split("\n")
        if more:
            self._output.note(BAR + self._say("more_lines", count=more), dim=True)
            choices.append(self._say("view_all", count=len(self._lines)))
        write_choices(choices, self._output)

    def show_all_lines(self) -> None:
        self._write(self._lines)

    def _write(self, lines: Sequence[ScreenLine]) -> None:
        for line in lines:
            style = {"fg": line.colour} if line.colour else {}
            self._output.note(line.text, **style)


def _fold_choices(text: str, width_cells: int) -> list[str]:
    """Fold a line between its choices, so that no key is separated from its meaning."""
    lines: list[str] = []
    for choice in text.split(_GAP):
        wider = f"{lines[-1]}{_GAP}{choice}" if lines else ""
        if lines and cell_len(wider) <= width_cells:
            lines[-1] = wider
        else:
            lines.append(choice)
    return [piece for line in lines for piece in fold(line, width_cells)]


def write_heading(heading: str, output: Output) -> None:
    """Write the heading of a question."""
    first, *more = fold(heading, output.width_cells - len(BAR))
    # Only our lines begin with this sign: every line of the call is behind the bar.
    output.note(f"╭ {first}", fg="yellow", bold=True)
    for line in more:
        output.note(BAR + line, fg="yellow", bold=True)


def write_choices(choices: Sequence[str], output: Output) -> None:
    """Write the possible answers below a question."""
    output.note("├─", fg="yellow")
    write_end(choices, output)


def write_end(texts: Sequence[str], output: Output) -> None:
    """Write the last lines of a question."""
    lines = [line for text in texts for line in _fold_choices(text, output.width_cells - len(BAR))]
    for line in lines[:-1]:
        output.note(BAR + line, fg="yellow")
    output.note(f"╰ {lines[-1]}", fg="yellow")
