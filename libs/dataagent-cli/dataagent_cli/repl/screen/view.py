"""What is drawn of a shell: the live part, the lines above the input, the status line."""

from prompt_toolkit.formatted_text import StyleAndTextTuples

from dataagent_cli.output.text_width import cut
from dataagent_cli.repl.inline_shell import InlineShell
from dataagent_cli.repl.screen.application import PromptApplication
from dataagent_cli.repl.screen.hints import hint_lines
from dataagent_cli.repl.screen.layout import PROMPT, Draws, View
from dataagent_cli.repl.screen.status import status_line, status_parts


def view_of(shell: InlineShell, application: PromptApplication) -> View:
    """Make the view of a shell."""
    say = shell.app.say
    live = _DrawingCache(
        application, lambda: shell.printing.live(asking=application.answer_line.active)
    )

    def above_input() -> StyleAndTextTuples:
        return hint_lines(shell.waiting(), say, application.screen.width_cells)

    def status() -> StyleAndTextTuples:
        return _status(shell, application.screen.width_cells)

    return View(
        live=live,
        above_input=above_input,
        status=status,
        placeholder=lambda: cut(
            say("repl_placeholder"), application.screen.width_cells - len(PROMPT) - 1
        ),
        search_label=say("repl_search"),
        nothing_found_label=say("repl_search_nothing"),
        answer_label=lambda: application.answer_line.label,
        answering=lambda: application.answer_line.active,
    )


def _status(shell: InlineShell, width_cells: int) -> StyleAndTextTuples:
    say = shell.app.say
    room = width_cells - 1
    working = ""
    if shell.waits_for_person:
        working = say("repl_waits_for_you")
    elif shell.activity.stopping:
        working = say("repl_stopping")
    elif shell.activity.active:
        working = say("repl_working", seconds=shell.activity.seconds)
    parts = status_parts(shell.conversation.facts, shell.totals, say)
    line = status_line([working, *parts] if working else parts, room)
    fragments: StyleAndTextTuples = []
    if working:
        fragments.append(("class:status.working", line[: len(working)]))
        line = line[len(working) :]
    danger = say("repl_sandbox.host")
    mode = say("repl_mode", mode=say(f"repl_mode.{shell.conversation.facts.mode}"))
    not_heard = ((say("remote_not_heard"), "class:status.danger"),)
    marked = ((mode, "class:status.mode"), (danger, "class:status.danger"))
    for piece, style in (*(not_heard if shell.conversation.facts.away else ()), *marked):
        before, found, line = line.partition(piece)
        fragments += [("", before), (style, found)]
    return [*fragments, ("", line)]


class _DrawingCache:
    """Caches a part during one drawing, which asks for it more than once."""

    def __init__(self, application: PromptApplication, draws: Draws) -> None:
        self._application = application
        self._draws = draws
        self._count = -1
        self._drawn: StyleAndTextTuples = []

    def __call__(self) -> StyleAndTextTuples:
        count = self._application.application.render_counter
        if count != self._count:
            self._count, self._drawn = count, self._draws()
        return self._drawn
