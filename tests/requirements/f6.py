"""What issue 6 promises of MCP: its numbered items, and when it is done."""

from tests.requirements.entry import Requirement

_ITEMS = {
    1: "Three forms of mcp.json, four transports, per person, project and tenant; secrets are sealed.",
    2: "One connection per owner and configuration: lazy, kept, bounded, and failures block nothing.",
    3: "A stdio server runs in the sandbox, sees only what was declared, and leaves nothing behind.",
    4: "Servers' tools are named, checked, bounded, asked about, and asked about again when changed.",
    5: "Each person signs in for themselves; tokens are bound to the resource and refreshed once.",
    6: "Our own MCP server: the data tools, files and the agent behind the same gate, audited.",
    7: "The command line adds, lists, tests, calls, imports and removes servers.",
}

_DONE_WHEN = {
    "conformance": "The community's conformance suite finds no required scenario that fails.",
    "real-servers": "Servers that others wrote work, and sessions of one person share one process.",
    "two-users": "Interleavings of two people never mix results, tokens, environment or tools.",
    "misbehaviour": "Whatever a server does, the run goes on and nothing is left behind.",
    "oauth": "The whole OAuth flow, expiry, one refresh from two processes, and revocation.",
}

F6: tuple[Requirement, ...] = (
    *(Requirement(f"F6-{number}", text) for number, text in _ITEMS.items()),
    *(Requirement(f"F6-{name}", text) for name, text in _DONE_WHEN.items()),
)
