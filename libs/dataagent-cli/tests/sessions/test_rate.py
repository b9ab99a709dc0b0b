"""`dataagent sessions rate`: the words it takes, what is stored, and what a pattern learns from it."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from dataagent_cli.messages import Messages
from dataagent_cli.sessions.rate import parse_rating
from dataagent_core.errors import ValidationError

Command = Callable[..., tuple[int, str, str]]
WRITES = [
    {"tool_calls": [{"name": "write_file", "args": {"file_path": "/a.md", "content": "1\n"}}]},
    {"text": "It is written."},
]


@pytest.fixture
def answered(command: Command, endpoint: Any) -> Command:
    with endpoint(*WRITES):
        done = command("run", "Write the sales note", "--session", "s1", "--yes", "--plan", "never")
    assert done[0] == 0, done
    return command


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("good", ("up", "")),
        ("BAD  net, not gross ", ("down", "net, not gross")),
        ("none", ("", "")),
        ("none use 2026", ("", "use 2026")),
        ("good\nwith a second line", ("up", "with a second line")),
    ],
)
def test_the_words_of_a_rating(typed: str, read: tuple[str, str]):
    assert parse_rating(typed, Messages("en")) == read


@pytest.mark.parametrize("typed", ["", "up", "goodness me", "5"])
def test_other_words_are_refused_and_named(typed: str):
    with pytest.raises(ValidationError, match="Write good, bad or none"):
        parse_rating(typed, Messages("en"))


def test_a_rating_is_an_event_and_the_last_one_counts_for_the_pattern(answered: Command):
    code, out, err = answered("sessions", "rate", "s1", "bad", "net,", "not", "gross")
    assert (code, out, err) == (0, "", "rated as not helpful \u00b7 net, not gross\n")
    (pattern,) = json.loads(answered("patterns", "list", "--json")[1])
    assert (pattern["uses"], pattern["success_rate"]) == (1, 0.0)
    assert "people corrected: net, not gross" in answered("patterns", "show", pattern["id"])[1]
    code, out, _ = answered("sessions", "rate", "s1", "good", "--json")
    given = json.loads(out)
    assert (code, given["session_id"], given["rating"]) == (0, "s1", "up")
    (pattern,) = json.loads(answered("patterns", "list", "--json")[1])
    assert (pattern["uses"], pattern["success_rate"]) == (1, 1.0)
    lines = answered("sessions", "events", "s1", "--json")[1].splitlines()
    events = [json.loads(line) for line in lines]
    said = [event for event in events if event["event_type"] == "feedback"]
    assert [(one["rating"], one["target_run_id"]) for one in said] == [
        ("down", given["run_id"]),
        ("up", given["run_id"]),
    ]
    assert answered("sessions", "rate", "s1", "none")[2] == "the rating is taken back\n"


@pytest.mark.usefixtures("answered")
@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("s1", "great"), 2, "'great' is no rating"),
        (("nowhere", "good"), 1, "nowhere"),
        (("s1", "bad", "x" * 4_001), 2, "4,001"),
        (("s1",), 2, "WORDS"),
    ],
)
def test_what_cannot_be_said_is_refused(
    command: Command, arguments: tuple[str, ...], code: int, said: str
):
    done = command("sessions", "rate", *arguments)
    assert done[:2] == (code, "")
    assert said in done[2]


def test_a_rating_in_words_that_cannot_be_stored_is_stored_without_them(answered: Command):
    assert answered("sessions", "rate", "s1", "bad", "half \ud83d")[0] == 0
    assert "half \ufffd" in answered("sessions", "events", "s1")[1]


def test_nothing_is_learned_where_learning_is_switched_off(
    answered: Command, environment: dict[str, str]
):
    environment["DATAAGENT_PATTERN_LEARNING"] = "false"
    assert answered("sessions", "rate", "s1", "bad")[0] == 0
    (pattern,) = json.loads(answered("patterns", "list", "--json")[1])
    assert pattern["success_rate"] == 1.0
