"""What is known of a call's effect before a person is asked about it.

A tool may look ahead: a write counts the rows it would change, a query asks what it would cost. It
may add to the arguments what it found, so that an answer is bound to that too, and may demand that
a person is asked whatever the rules allow. It may find that the call touches more than its
arguments name, asks what the rules say of that, and raises `DeniedError` where they forbid it. It
must change nothing; it runs again on resume, and not at all for a call that the rules deny.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from dataagent_core.permissions import Judgement


@dataclass(frozen=True, slots=True)
class CallForecast:
    """The arguments the call would run with, and why a person must be asked, if so."""

    args: dict[str, Any]
    # A yes given beforehand to everything answers it, unless it is `always` asked.
    ask: str | None = None
    always: bool = False


# What is decided about a tool and the source it would read.
JudgeSource = Callable[[str, str], Judgement]
Forecaster = Callable[[dict[str, Any], JudgeSource], Awaitable[CallForecast]]
# By the name of the tool.
Forecasters = Mapping[str, Forecaster]
