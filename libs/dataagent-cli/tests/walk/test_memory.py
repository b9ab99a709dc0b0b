"""Memory in a real terminal: told in one session, used in another, corrected, asked as of, forgotten."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

OpenTerminal = Callable[..., Any]


@pytest.mark.requirement("F22-walk-terminal")
def test_what_is_told_is_used_corrected_asked_as_of_and_forgotten(
    open_terminal: OpenTerminal, scripts: Any, environment: dict[str, str]
):
    environment["DATAAGENT_PLANNING"] = "never"
    answers = {"I live in": [{"text": "Noted."}], "Where do I live": [{"text": "As you said."}]}
    with scripts(**answers) as served:
        with open_terminal("--session", "told", columns=100, rows=50) as terminal:
            terminal.until("openai:scripted")
            terminal.enter("I live in Basel. I am a baker.")
            terminal.until(r"remembered: I live in Basel[\s\S]*done ·", everywhere=True)
            terminal.enter("/quit")
            assert terminal.exit_code() == 0
        with open_terminal("--session", "asked", columns=100, rows=50) as terminal:
            terminal.until("openai:scripted")
            terminal.enter("Where do I live?")
            terminal.until(
                r"1 memory used \(/memory shows them\)[\s\S]*done ·",
                everywhere=True,
            )
            told = str(served.requests[-1])
            assert "I live in Basel" in told
            assert "session told" in told
            terminal.enter("/memory")
            terminal.until(
                r"The last answer was given these memories:\n"
                r" +1\. I live in Basel \(you said so, \d{4}-\d\d-\d\d\)"
            )
            terminal.enter("/memory wrong 1 I live in Bern")
            # It was said in another session, whose words this one does not repeat.
            terminal.until(r"that memory is wrong, and not used any more")
            terminal.until(r"remembered: I live in Bern")
            # It was true before, and something else is true now.
            terminal.enter('/memory add "I work at Acme" --since 2026-01-01')
            terminal.until(r"remembered: I work at Acme")
            terminal.enter('/memory add "I work at Globex"')
            terminal.until(r"holds no longer: I work at Acme")
            terminal.enter('/memory search "where do I work" --as-of 2026-02-01')
            terminal.until(r"I work at Acme \(added by hand[^\n]*\), 2026-01-01 …")
            terminal.enter("Where do I live now?")
            terminal.until(r"live now\?[\s\S]*memor\w+ used[\s\S]*done ·")
            terminal.enter("/memory")
            terminal.until(r"1\. I live in Bern")
            terminal.enter("/memory forget 1")
            terminal.until(r"a scan for the text finds 0")
            terminal.enter("/memory")
            terminal.until(r"1\. forgotten, or another person's")
            terminal.enter('/memory search "I live in Bern"')
            terminal.until(r'search "I live in Bern"\n[^\n]*(I work at Globex|Nothing fits)')
            terminal.enter("/memory off")
            terminal.until("memory is off in this session")
    home = Path(environment["DATAAGENT_HOME"])
    assert b"I live in Bern" not in (home / "memory.db").read_bytes()
