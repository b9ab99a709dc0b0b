"""Which sandboxes assistants may choose: only those the operator allows.

A tenant's assistant must not weaken the isolation of the server, nor start machines of a vendor at
the operator's cost. So the server's own sandbox is always allowed, and any other only by a setting.
"""

from dataclasses import dataclass
from typing import Self

from dataagent_core.config.sandbox_types import LOCAL, SandboxType
from dataagent_core.errors import DeniedError
from dataagent_server.settings import ServerSettings


@dataclass(frozen=True, slots=True)
class SandboxPolicy:
    """The allowed sandboxes, the server's own first."""

    allowed: tuple[SandboxType, ...] = (LOCAL,)

    @classmethod
    def of(cls, settings: ServerSettings) -> Self:
        """Read the operator's settings."""
        own = settings.sandbox_type or LOCAL
        return cls(tuple(dict.fromkeys((own, *settings.assistant_sandbox_types))))

    def check(self, wanted: str | None) -> None:
        """Refuse a sandbox that the operator does not allow; None is the server's own."""
        if wanted is None or wanted in self.allowed:
            return
        raise DeniedError(
            f"The sandbox {wanted!r} is not allowed on this server; choose from "
            f"{', '.join(self.allowed)}, or leave sandbox_type out. Whoever runs the installation "
            "can allow it with DATAAGENT_ASSISTANT_SANDBOX_TYPES."
        )
