"""What Esc, Ctrl-C and Ctrl-D mean at this moment. Pure."""

from dataclasses import dataclass
from typing import Literal

Key = Literal["escape", "ctrl_c", "ctrl_d"]
Meaning = Literal[
    "nothing",
    # Close the list of completions.
    "close_menu",
    # Set the text aside, so that the question that waits can be answered.
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
    """What is going on when a key is pressed."""

    active: bool = False
    has_text: bool = False
    menu_open: bool = False
    # A question waits for the person to finish what they write.
    question_waits: bool = False
    # The person is answering a question.
    answering: bool = False
    # Ctrl-D was pressed just before.
    warned: bool = False


def meaning(key: Key, moment: KeyContext) -> Meaning:
    """Say what a key does."""
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
            # A question that waits is kept for the next time; other work would be cut short.
            parked = moment.answering or not moment.active
            return "leave" if parked or moment.warned else "warn_before_leaving"


def _escape(moment: KeyContext) -> Meaning:
    if moment.menu_open:
        return "close_menu"
    if moment.question_waits and moment.has_text:
        return "turn_to_question"
    return "stop_run" if moment.active else "nothing"
