"""What MCP programs may do in a tenant. Pure.

A program is code on the operator's machine, in the sandbox. The tenant's admins decide which
programs may start; the operator decides what the sandbox opens for them (folders of the machine,
the whole network), because a limit that its subject can lift is none.
"""

from dataclasses import asdict, dataclass, fields
from typing import Any, Final

from dataagent_core.errors import ValidationError
from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.sandbox.port import Network
from dataagent_server.agents.mcp_servers.limits import POLICY_ENTRIES_MAX, POLICY_TEXT_CHARS_MAX

# The name of the user's workspace in a configuration.
WORKSPACE: Final = "WORKSPACE"
_WORKSPACE_PATH: Final = f"${{{WORKSPACE}}}"
_BY_WIDTH: Final[tuple[Network, ...]] = ("none", "hosts", "full")


@dataclass(frozen=True, slots=True, kw_only=True)
class MCPPolicy:
    """One tenant's policy; by default no program may be started."""

    # Set by the tenant's admins: what may be started (`uvx`, `/opt/x`, `npx @scope/*`), and the
    # network of a program that declares none.
    commands: tuple[str, ...] = ()
    network: Network = "none"
    # Set by the operator: the widest network, and folders that may be read, or also written. The
    # workspace of the user is always allowed.
    network_max: Network = "hosts"
    read_paths: tuple[str, ...] = ()
    write_paths: tuple[str, ...] = ()
    # What the only user of an installation allowed (`owner_programs.py`); it does not count as soon
    # as there are two.
    programs: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _check_texts("commands", self.commands)
        _check_texts("programs", self.programs)
        for name in ("read_paths", "write_paths"):
            paths: tuple[str, ...] = getattr(self, name)
            _check_texts(name, paths)
            for path in paths:
                if not path.startswith("/") or ".." in path.split("/"):
                    raise ValidationError(f"{name} holds {path!r}: begin it with '/', no '..'.")

    @property
    def default_network(self) -> Network:
        """The network of a program that declares none."""
        return _BY_WIDTH[min(map(_BY_WIDTH.index, (self.network, self.network_max)))]

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        values = asdict(self)
        return {name: list(v) if isinstance(v, tuple) else v for name, v in values.items()}


_LISTS: Final = frozenset({"commands", "read_paths", "write_paths", "programs"})
# What only the operator may change.
OPERATORS: Final = frozenset({"network_max", "read_paths", "write_paths", "programs"})


def policy_from(stored: dict[str, Any] | None) -> MCPPolicy:
    """Read a stored policy; unknown fields are ignored."""
    known = {one.name for one in fields(MCPPolicy)}
    values = {name: value for name, value in (stored or {}).items() if name in known}
    for name in _LISTS & values.keys():
        values[name] = tuple(values[name])
    return MCPPolicy(**values)


def why_not_started(
    config: MCPServerConfig, policy: MCPPolicy, *, programs_off: bool = False
) -> str | None:
    """Return why a program may not be started here, and who can help.

    Core checks which of the allowed commands it is, and its variables
    (`mcp/transports/program/command.py`), because that depends on the machine.
    """
    if programs_off:
        return "is a program, and your organisation does not have the feature 'code_execution'."
    if not policy.commands:
        return (
            f"starts {config.command[:80]!r}, and no program is allowed here yet. An admin can "
            "allow it in `commands` of /api/v1/mcp/policy; servers at an address need no leave."
        )
    if (config.network or "none") not in _networks_up_to(policy.network_max):
        return (
            f"wants the network {config.network!r}; {policy.network_max!r} is the most a program "
            "gets here. Whoever runs this installation can widen it."
        )
    for given, allowed in (
        (config.read_paths, (*policy.read_paths, *policy.write_paths)),
        (config.write_paths, policy.write_paths),
    ):
        for path in given:
            # Only exact matches: something below one of them may be a link that leads elsewhere.
            if path != _WORKSPACE_PATH and path not in allowed:
                return (
                    f"wants the folder {path[:200]!r}, which is not open here. Write "
                    f"{_WORKSPACE_PATH} for your own workspace, or ask whoever runs this "
                    "installation to open the folder."
                )
    return None


def _networks_up_to(widest: Network) -> tuple[Network, ...]:
    return _BY_WIDTH[: _BY_WIDTH.index(widest) + 1]


def _check_texts(name: str, texts: tuple[str, ...]) -> None:
    if len(texts) > POLICY_ENTRIES_MAX:
        raise ValidationError(
            f"{name} holds {len(texts)} entries, {POLICY_ENTRIES_MAX} are possible."
        )
    for text in texts:
        if not text.strip() or len(text) > POLICY_TEXT_CHARS_MAX or not text.isprintable():
            raise ValidationError(
                f"{name} holds {text[:80]!r}: write 1 to {POLICY_TEXT_CHARS_MAX} characters that "
                "can be seen."
            )
