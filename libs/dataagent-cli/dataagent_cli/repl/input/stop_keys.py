"""The meaning of Esc, Ctrl-C and Ctrl-D in a situation. Pure."""

from dataclasses import dataclass
from typing import Literal

Key = Literal["escape", "ctrl_c", "ctrl_d"]
Meaning = Literal[
    "nothing",
    # Close the list of completions.
    "close_menu",
    # Set the text aside, so that the waiting question can be answered.
    "turn_to_question",
    "stop_run",
    "clear_text",
    "say_how_to_leave",
    "warn_before_leaving",
    "leave",
    "delete_forward",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyContext:
    """The situation when a key is pressed."""

    active: bool = False
    has_text: bool = False
    menu_open: bool = False
    # A question waits until the person has finished writing.
    question_waits: bool = False
    # The person is answering a question.
    answering: bool = False
    # Ctrl-D was pressed just before.
    warned: bool = False


def meaning(key: Key, moment: KeyContext) -> Meaning:
    """Return what a key does."""
    match key:
        case "escape":
            return _escape(moment)
        case "ctrl_c":
            if moment.active:
                return "stop_run"
            return "clear_text" if moment.has_text else "say_how_to_leave"
        case "ctrl_d":
            if moment.has_text:
                return "delete_forward"
            # A waiting question stays open; other work would be interrupted.
            parked = moment.answering or not moment.active
            return "leave" if parked or moment.warned else "warn_before_leaving"


def _escape(moment: KeyContext) -> Meaning:
    if moment.menu_open:
        return "close_menu"
    if moment.question_waits and moment.has_text:
        return "turn_to_question"
    return "stop_run" if moment.active else "nothing"
