"""The layout of the part that changes: live part, queued messages, input, status. No logic."""

from collections.abc import Callable
from dataclasses import dataclass

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition, has_focus, is_searching
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.layout import (
    BufferControl,
    ConditionalContainer,
    Dimension,
    FormattedTextControl,
    HSplit,
    Layout,
    Window,
)
from prompt_toolkit.layout.menus import CompletionsMenu
from prompt_toolkit.layout.processors import (
    AfterInput,
    BeforeInput,
    ConditionalProcessor,
    HighlightIncrementalSearchProcessor,
)
from prompt_toolkit.search import SearchDirection, SearchState
from prompt_toolkit.widgets import SearchToolbar

from dataagent_cli.repl.limits import COMPLETIONS_ROWS_MAX, INPUT_ROWS_MAX

PROMPT = "› "  # noqa: RUF001 (as the transcript marks what the person said)
_CONTINUED = "  "

Draws = Callable[[], StyleAndTextTuples]


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What the layout shows; each part is called when it is drawn."""

    live: Draws
    # Queued messages and hints.
    above_input: Draws
    status: Draws
    placeholder: Callable[[], str]
    search_label: str
    nothing_found_label: str
    answer_label: Callable[[], str]
    answering: Callable[[], bool]


def build_layout(view: View, draft: Buffer, answer: Buffer) -> Layout:
    """Arrange the parts below each other."""
    words = Buffer(name="search", multiline=False)

    def search_label() -> str:
        return view.search_label if _is_in_history(draft, words.text) else view.nothing_found_label

    search = SearchToolbar(
        words,
        forward_search_prompt=search_label,
        backward_search_prompt=search_label,
        ignore_case=True,
    )
    answering = Condition(view.answering)
    empty = Condition(lambda: not draft.text) & ~is_searching
    hint = ConditionalProcessor(AfterInput(view.placeholder, style="class:placeholder"), empty)
    draft_window = Window(
        BufferControl(
            draft,
            input_processors=[hint, HighlightIncrementalSearchProcessor()],
            search_buffer_control=search.control,
            # The match of a search stands in the input while the search is typed.
            preview_search=True,
        ),
        height=Dimension(min=1, max=INPUT_ROWS_MAX),
        get_line_prefix=_prefix,
        wrap_lines=True,
        dont_extend_height=True,
    )
    label = BeforeInput(view.answer_label, style="class:answer-label")
    answer_window = Window(
        BufferControl(answer, input_processors=[label]),
        height=Dimension(min=1, max=INPUT_ROWS_MAX),
        wrap_lines=True,
        dont_extend_height=True,
    )
    parts = HSplit(
        [
            # Fills the rows that a shorter drawing leaves, so that the input does not move.
            Window(),
            _build_window(view.live),
            _build_window(view.above_input),
            ConditionalContainer(answer_window, answering),
            ConditionalContainer(draft_window, ~answering),
            search,
            CompletionsMenu(
                max_height=COMPLETIONS_ROWS_MAX, scroll_offset=1, extra_filter=has_focus(draft)
            ),
            _build_window(view.status, style="class:status"),
        ]
    )
    return Layout(parts, focused_element=draft_window)


def _is_in_history(draft: Buffer, words: str) -> bool:
    """Say whether the searched words are in any earlier input."""
    state = SearchState(words, SearchDirection.BACKWARD, ignore_case=True)
    return words.lower() in draft.document_for_search(state).text.lower()


def _build_window(draws: Draws, style: str = "") -> ConditionalContainer:
    window = Window(
        FormattedTextControl(draws, focusable=False),
        dont_extend_height=True,
        wrap_lines=False,
        style=style,
    )
    return ConditionalContainer(window, Condition(lambda: bool(draws())))


def _prefix(line_number: int, wrap_count: int) -> StyleAndTextTuples:
    first = line_number == 0 and wrap_count == 0
    return [("class:prompt", PROMPT)] if first else [("", _CONTINUED)]
