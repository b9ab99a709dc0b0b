"""Hostile events cannot steer the terminal or leave the screen."""

from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from transcripts import (
    SEQUENCE,
    STARTED,
    a_transcript,
    call,
    live,
    shown,
    text_of,
)

from dataagent_cli.transcript.terminal.terminal_style import TerminalStyle
from dataagent_core import events as ev
from dataagent_core.events import Event
from dataagent_core.testing.strategies import events
from tests.counts import examples

HOSTILE = "\x1b[2J\x1b]0;x\x07\u202e\r[bold]x[/bold] :smile: \x9b31m"


def hostile_events() -> list[Event]:
    return [
        call(HOSTILE, HOSTILE, None, **{HOSTILE: HOSTILE}),
        ev.ToolProgressEvent(tool_call_id=HOSTILE, message=HOSTILE),
        ev.ToolResultEvent(
            tool_call_id=HOSTILE,
            tool_name=HOSTILE,
            result=HOSTILE,
            artifacts=[{"path": HOSTILE, "media_type": HOSTILE}],
        ),
        ev.FileOperationEvent(operation=HOSTILE, file_path=HOSTILE, diff=f"\n\n+{HOSTILE}"),
        ev.SubAgentEvent(phase="started", name=HOSTILE, task=HOSTILE),
        ev.SkillEvent(name=HOSTILE),
        ev.TodoUpdateEvent(todos=[{"content": HOSTILE, "status": HOSTILE}]),
        ev.HITLRequestEvent(interrupt_id="1", question=HOSTILE),
        ev.ErrorEvent(error=HOSTILE),
        ev.ThoughtEvent(content=HOSTILE),
        ev.TextEvent(content=HOSTILE),
    ]


def assert_harmless(text: str, width: int) -> None:
    bare = SEQUENCE.sub("", text)
    assert not [c for c in bare if (ord(c) < 32 and c != "\n") or 0x7F <= ord(c) < 0xA0]
    assert not set(bare) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028")
    for line in bare.split("\n"):
        assert cell_len(line) <= width, line


def test_words_of_others_are_never_markup():
    told = shown(*hostile_events(), ev.TextEvent(content="[bold]x[/bold] :smile:", is_final=True))
    assert "[bold]x[/bold] :smile:" in told


@given(st.lists(events() | st.sampled_from(hostile_events()), max_size=12), st.integers(40, 90))
@settings(max_examples=examples(150), deadline=None)
def test_no_event_steers_the_terminal_or_leaves_the_screen(given: list[Event], width: int):
    look = TerminalStyle(width_cells=width, links=True)
    transcript = a_transcript(look)
    told = ""
    for event in given:
        told += text_of(transcript.show(event), look) + text_of([transcript.live()], look)
    for number in range(1, transcript.last_folded + 1):
        told += text_of(transcript.unfold(number), look)
    assert_harmless(told, width)


def test_the_live_part_leaves_room_for_the_prompt():
    rows: list[Event] = [call("shell", str(n), command=f"job {n}") for n in range(30)]
    text = ev.TextEvent(content="\n".join(f"line {n}" for n in range(50)))
    look = TerminalStyle(width_cells=60, height_rows=24, plain=True)
    drawn = live(STARTED, *rows, text, look=look).splitlines()
    assert len(drawn) <= 24 - 8
    assert "line 49" in drawn[-10]
    assert "… 22 more lines" in drawn[-1]
