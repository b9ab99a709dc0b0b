"""The request for one run, checked before anything is started.

`port.RunOptions` names what a caller may leave out; the defaults are here.
"""

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from dataagent_core.config.limits import (
    SANDBOX_COMMAND_BYTES_MAX,
    SANDBOX_STDIN_BYTES_MAX,
    SANDBOX_TIMEOUT_S,
    SANDBOX_TIMEOUT_S_MAX,
)
from dataagent_core.errors import ValidationError
from dataagent_core.sandbox.port import Command, Network, OnOutput

# Where the layer over the workspace lies, or that there is none.
LookWay = Literal["memory", "disk", "read-only"]
_REACH: dict[Network, int] = {"none": 0, "hosts": 1, "full": 2}


@dataclass(frozen=True, slots=True)
class RunRequest:
    """A command and its options; what no sandbox could run is refused here."""

    command: Command
    timeout_s: float = SANDBOX_TIMEOUT_S
    cwd: str = "/"
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    stdin: bytes = b""
    network: Network | None = None
    on_output: OnOutput | None = None
    # Nothing it writes stays: over the workspace lies a layer that is dropped, or it is read-only.
    looks: LookWay | None = None

    def __post_init__(self) -> None:
        words = [self.command] if isinstance(self.command, str) else list(self.command)
        if not words or not words[0].strip():
            raise ValidationError("The command is empty. Give the command to run.")
        texts = [*words, *(f"{name}={value}" for name, value in self.env.items())]
        if any("\0" in text for text in texts):
            raise ValidationError(
                "A command cannot hold a NUL character. Write it to a file first."
            )
        size = max(len(os.fsencode(word)) for word in words)
        if size > SANDBOX_COMMAND_BYTES_MAX:
            raise ValidationError(
                f"The command has {size} bytes, {SANDBOX_COMMAND_BYTES_MAX} are possible. "
                "Write it to a file and run the file."
            )
        if not math.isfinite(self.timeout_s) or not 0 < self.timeout_s <= SANDBOX_TIMEOUT_S_MAX:
            raise ValidationError(
                f"timeout_s is {self.timeout_s}; give seconds above 0 and up to "
                f"{SANDBOX_TIMEOUT_S_MAX:g}."
            )
        if len(self.stdin) > SANDBOX_STDIN_BYTES_MAX:
            raise ValidationError(
                f"The input has {len(self.stdin)} bytes, {SANDBOX_STDIN_BYTES_MAX} are possible. "
                "Put it into a file."
            )


def check_network(asked: Network | None, allowed: Network) -> Network:
    """Give the network of a run; a run may ask for less than its sandbox has, never for more."""
    if asked is None:
        return allowed
    if _REACH[asked] > _REACH[allowed]:
        raise ValidationError(
            f"network={asked!r} is more than this sandbox has ({allowed!r}). "
            "The person who runs DataAgent can allow more in the settings."
        )
    return asked
