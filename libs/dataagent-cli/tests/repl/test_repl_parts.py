"""The pure parts of the prompt."""

import itertools
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit.layout.screen import Char, Screen
from rich.console import Console
from rich.text import Text

from dataagent_cli.conversation.conversation_request import ConversationRequest
from dataagent_cli.conversation.port import ConversationFacts
from dataagent_cli.messages import Messages
from dataagent_cli.messages.repl import REPL_TEXTS
from dataagent_cli.remote.address import RemoteServer
from dataagent_cli.repl.activity import Activity
from dataagent_cli.repl.commands.command import Command
from dataagent_cli.repl.commands.dispatch import find_command, parse_command
from dataagent_cli.repl.commands.export import parse_export
from dataagent_cli.repl.commands.registry import COMMANDS
from dataagent_cli.repl.input.completion import match_names
from dataagent_cli.repl.input.history import FileHistory
from dataagent_cli.repl.input.message_queue import QUEUED_MAX, MessageQueue, QueuedMessage
from dataagent_cli.repl.input.pastes import Pastes
from dataagent_cli.repl.input.stop_keys import Key, KeyContext, meaning
from dataagent_cli.repl.limits import HISTORY_ENTRIES_MAX, PASTED_LINES_MAX
from dataagent_cli.repl.options import make_conversation_request
from dataagent_cli.repl.screen.application import count_added_rows, rewraps_lines
from dataagent_cli.repl.screen.event_printer import fragments_of
from dataagent_cli.repl.screen.list_picker import ListChoice
from dataagent_cli.repl.screen.status import Totals, status_line, status_parts
from dataagent_core import events as ev
from dataagent_core.errors import ConflictError, DataAgentError, ValidationError

SAY = Messages("en")


def test_every_sentence_has_both_languages_and_the_same_values():
    import string

    for key, (english, chinese) in REPL_TEXTS.items():
        names = [
            {name for _, name, _, _ in string.Formatter().parse(text) if name}
            for text in (english, chinese)
        ]
        assert names[0] == names[1], key
        assert english.strip(), key
        assert chinese.strip(), key


@given(st.text())
def test_whatever_is_pasted_is_sent_as_it_was(text: str):
    pastes = Pastes(SAY)
    folded = pastes.fold(text)
    expected = text.replace("\r\n", "\n").replace("\r", "\n")
    assert pastes.unfold(f"a {folded} b") == f"a {expected} b"


def test_pastes_of_one_length_are_told_apart_and_a_changed_word_is_only_a_word():
    pastes = Pastes(SAY)
    one, two = "x\n" * 20, "y\n" * 20
    words = [pastes.fold(text) for text in (one, two)]
    assert words == ["[pasted 21 lines]", "[pasted 21 lines #2]"]
    assert pastes.unfold(" ".join(reversed(words))) == f"{two} {one}"
    assert pastes.unfold("[pasted 22 lines]") == "[pasted 22 lines]"
    assert pastes.fold("x\n" * (PASTED_LINES_MAX - 1)) == "x\n" * (PASTED_LINES_MAX - 1)


def test_the_queue_gives_in_order_takes_back_the_newest_and_has_an_end():
    queue = MessageQueue()
    for number in range(QUEUED_MAX):
        queue.add(str(number))
    with pytest.raises(ConflictError):
        queue.add("one too many")
    assert queue.next() == QueuedMessage("0")
    assert queue.take_back() == str(QUEUED_MAX - 1)
    assert queue.take_all_back().splitlines() == [str(n) for n in range(1, QUEUED_MAX - 1)]
    assert queue.next() is None


@pytest.mark.parametrize(
    ("key", "moment", "expected"),
    [
        ("escape", KeyContext(active=True), "stop_run"),
        ("escape", KeyContext(active=True, menu_open=True), "close_menu"),
        ("escape", KeyContext(active=True, question_waits=True, has_text=True), "turn_to_question"),
        ("escape", KeyContext(has_text=True), "nothing"),
        ("ctrl_c", KeyContext(active=True, has_text=True), "stop_run"),
        ("ctrl_c", KeyContext(has_text=True), "clear_text"),
        ("ctrl_c", KeyContext(), "say_how_to_leave"),
        ("ctrl_d", KeyContext(), "leave"),
        ("ctrl_d", KeyContext(has_text=True), "delete_forward"),
        ("ctrl_d", KeyContext(active=True), "warn_before_leaving"),
        ("ctrl_d", KeyContext(active=True, warned=True), "leave"),
        ("ctrl_d", KeyContext(active=True, answering=True), "leave"),
    ],
)
def test_what_a_key_means(key: Key, moment: KeyContext, expected: str):
    assert meaning(key, moment) == expected


def test_a_run_that_is_under_way_is_always_stopped_by_ctrl_c():
    for flags in itertools.product([False, True], repeat=4):
        menu, waits, answering, warned = flags
        moment = KeyContext(
            active=True, menu_open=menu, question_waits=waits, answering=answering, warned=warned
        )
        assert meaning("ctrl_c", moment) == "stop_run"


def test_history_is_bounded_private_and_survives_what_broke_it(tmp_path: Path):
    path = tmp_path / "home" / "history.jsonl"
    history = FileHistory(path)
    assert list(history.load_history_strings()) == []
    history.store_string("one\nmore")
    with path.open("ab") as file:
        file.write(b'{"not": "text"}\n\xff\xfe\n"half\n')
    history.store_string("\x1b[2Jtwo")
    assert list(history.load_history_strings()) == ["two", "one\nmore"]
    assert path.stat().st_mode & 0o777 == 0o600
    for number in range(HISTORY_ENTRIES_MAX + 5):
        history.store_string(str(number))
    assert len(list(history.load_history_strings())) == HISTORY_ENTRIES_MAX


def test_a_history_that_cannot_be_kept_does_not_stop_anybody(tmp_path: Path):
    (tmp_path / "file").touch()
    history = FileHistory(tmp_path / "file" / "history.jsonl")
    history.store_string("lost")
    assert list(history.load_history_strings()) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/help", ("help", "")),
        (" /Mode  plan ", ("mode", "plan")),
        ("/export a\nb", ("export", "a\nb")),
        ("/etc/hosts is odd", None),
        ("/", None),
        ("say /help", None),
        ("/?", ("?", "")),
        ("/exit", ("exit", "")),
        ("exit", ("exit", "")),
        (" Quit ", ("quit", "")),
        ("exit the room", None),
        ("?", None),
    ],
)
def test_a_command_is_told_from_a_message(text: str, expected: tuple[str, str] | None):
    assert parse_command(text) == expected


def test_other_names_of_a_command_run_it_unless_the_person_has_one_of_that_name():
    assert find_command(COMMANDS, "exit") is COMMANDS["quit"]
    assert find_command(COMMANDS, "?") is COMMANDS["help"]
    assert find_command(COMMANDS, "export") is COMMANDS["export"]
    assert find_command(COMMANDS, "nothing") is None
    own = Command("exit", "", COMMANDS["help"].run, summary="my own")
    assert find_command({**COMMANDS, "exit": own}, "exit") is own


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("", ("md", None)),
        ("html", ("html", None)),
        ("notes.md", ("md", Path("notes.md"))),
        ("page.HTM", ("html", Path("page.HTM"))),
        ("json 'my file.txt'", ("json", Path("my file.txt"))),
        ("md notes", ("md", Path("notes"))),
    ],
)
def test_an_export_has_the_format_that_was_named(typed: str, expected: tuple[str, Path | None]):
    assert parse_export(typed, SAY) == expected


@pytest.mark.parametrize("typed", ["pdf", "PDF", "report.pdf", "notes", "pdf out.pdf", "a b c"])
def test_a_format_that_does_not_exist_is_no_file_name(typed: str):
    with pytest.raises(ValidationError, match=r"md, html.* json"):
        parse_export(typed, SAY)


def test_a_cost_that_is_only_partly_known_is_said_in_words():
    facts = ConversationFacts(
        session_id="s", title="", model="x", mode="ask", workspace="/w", sandbox="bwrap"
    )
    totals = Totals()
    totals.see(ev.CostUpdateEvent(cost=0.0042))
    totals.see(ev.DoneEvent())
    totals.see(ev.CostUpdateEvent(cost=None))
    assert "at least 0.0042 USD" in status_parts(facts, totals, SAY)
    assert "至少 0.0042 USD" in status_parts(facts, totals, Messages("zh"))


@pytest.mark.parametrize(
    ("count", "said"), [(1, "… 1 more line"), (2, "… 2 more lines"), (0, "… 0 more lines")]
)
def test_one_is_singular(count: int, said: str):
    assert SAY("more_lines", count=count) == said
    assert Messages("zh")("more_lines", count=count) == f"… 还有 {count} 行"


def test_names_that_begin_so_come_before_those_that_only_hold_it():
    names = [("docs/sales.md", ""), ("resale.csv", ""), ("Sales.csv", ""), ("other", "")]
    assert [name for name, _ in match_names(names, "sal")] == [
        "Sales.csv", "docs/sales.md", "resale.csv",
    ]  # fmt: skip


def test_the_status_line_drops_what_does_not_fit_and_never_the_mode():
    facts = ConversationFacts(
        session_id="s", title="", model="openai:x", mode="plan", workspace="/w", sandbox="host"
    )
    totals = Totals()
    totals.see(ev.StepFinishEvent(tokens={"input_tokens": 12_345}))
    totals.see(ev.CostUpdateEvent(cost=0.25))
    totals.see(ev.DoneEvent())
    totals.see(ev.CostUpdateEvent(cost=0.5))
    parts = status_parts(facts, totals, SAY)
    assert status_line(parts, 200) == (
        "plan mode (Shift-Tab)  ·  openai:x  ·  12.3k tokens in context  ·  0.7500 USD  ·  "
        "NO SANDBOX"
    )
    assert status_line(parts, 40) == "plan mode (Shift-Tab)  ·  openai:x"
    assert status_line(parts, 1) == "plan mode (Shift-Tab)"


def test_activity_ends_with_done_or_with_an_error_no_log_could_take():
    now = [100.0]
    activity = Activity(lambda: now[0])
    activity.mark_sent("hello")
    now[0] = 103.5
    assert (activity.active, activity.sent, activity.seconds) == (True, "hello", 3)
    activity.see(ev.RunStartedEvent(seq=1))
    assert (activity.active, activity.sent) == (True, None)
    activity.see(ev.ErrorEvent(error="x", seq=2))
    assert activity.active
    activity.see(ev.DoneEvent(seq=3))
    assert not activity.active
    activity.mark_sent("more")
    activity.see(ev.ErrorEvent(error="no disk"))
    assert not activity.active


def test_what_rich_draws_is_drawn_with_its_styles_and_bounded():
    console = Console(width=10, color_system="standard", force_terminal=True)
    text = Text("one\ntwo\n") + Text("three", style="bold red")
    assert fragments_of(text, console, 2) == [
        ("", "two"), ("", "\n"), ("bold fg:ansired", "three"),
    ]  # fmt: skip


def test_rows_are_counted_as_a_narrower_terminal_breaks_them():
    screen = Screen()
    for row, width in ((0, 30), (1, 10)):
        for x in range(width):
            screen.data_buffer[row][x] = Char("x")
    assert count_added_rows(screen, x=5, y=2, columns=10) == 2
    assert count_added_rows(screen, x=25, y=0, columns=10) == 2
    assert rewraps_lines({"TERM": "tmux-256color"})
    assert not rewraps_lines({"TERM": "xterm", "XTERM_VERSION": "XTerm(390)"})


def test_typing_narrows_a_choice_and_arrows_go_round():
    choice = ListChoice(["alpha one", "beta two", "alpha two"])
    choice.move(-1)
    assert choice.selected == 2
    choice.narrow("TWO alp")
    assert choice.selected == 2
    choice.narrow("nothing like it")
    choice.move(1)
    assert choice.selected is None


def request_with(workspace: Path, **given: Any) -> ConversationRequest:
    """Make a request from typed options; others have click's defaults."""
    unset: dict[str, Any] = {"last": False, "unsafe_host_shell": False}
    unset |= dict.fromkeys(("session", "resume", "model", "mode", "sandbox_type", "sandbox_id"))
    return make_conversation_request(SAY, workspace, **{**unset, **given})


def test_two_sessions_at_once_and_names_that_are_no_ids_are_refused(tmp_path: Path):
    with pytest.raises(DataAgentError, match="Give one of them"):
        request_with(tmp_path, last=True, session="s1")
    with pytest.raises(DataAgentError):
        request_with(tmp_path, session="../up")
    assert request_with(tmp_path, resume="").choose
    assert request_with(tmp_path, resume="s1").must_exist


@pytest.mark.requirement("F16-B5-sandbox-type")
def test_a_conversation_is_told_where_it_works_unless_a_server_does_the_work(tmp_path: Path):
    request = request_with(tmp_path, sandbox_type="modal", sandbox_id="m-1")
    assert (request.sandbox_type, request.sandbox_id) == ("modal", "m-1")
    for chosen in ({"sandbox_type": "local"}, {"sandbox_id": "m-1"}):
        with pytest.raises(DataAgentError, match="--sandbox"):
            request_with(tmp_path, server=RemoteServer("http://127.0.0.1:9", "key"), **chosen)
