"""What issue 4 promises of the server: its numbered items, what it bears, and when it is done."""

from tests.requirements.entry import Requirement

_ITEMS = {
    1: "One schema on SQLite, MariaDB and PostgreSQL; stores and checkpoints pass the suites on each.",
    2: "Tenants, users, roles, projects and keys; one pure `may(principal, action, resource)`.",
    3: "A run is the server's: leases with fencing numbers, taken up from its checkpoint by anybody.",
    4: "REST as the documents say, with a complete OpenAPI.",
    5: "WebSocket and SSE as PROTOCOL.md says; a slow reader slows nobody and misses nothing.",
    6: "Several processes: live events, cancels and answers cross from one to the other.",
    7: "Workspaces of S4, with quotas by atomic counters, reconciled after each command.",
    8: "Request ids, one form of errors, limits; changes and tool calls in a hash chain.",
    9: "A graceful stop hands runs over, closes sockets with 1012 and ends in time.",
}

_BEARS = {
    "any-input": "Every route answers anything as its OpenAPI says, and is well afterwards.",
    "wrong-frames": "Malformed, binary, oversized and out-of-order frames get an error, no more.",
    "database-away": "A database goes away and comes back in a run: the run resumes, nothing is lost.",
    "two-on-sqlite": "Two servers started on one SQLite file both serve, and share live runs.",
    "clock-jumps": "A clock that is set forward or back loses no run and doubles none.",
}

_DONE_WHEN = {
    "kill": "Killed or frozen in text, tool or approval: each event once, the run finishes, on all.",
    "isolation": "Nothing one tenant, user or project does is seen, counted or guessed by another.",
}


F4: tuple[Requirement, ...] = (
    *(Requirement(f"F4-{number}", text) for number, text in _ITEMS.items()),
    *(Requirement(f"F4-{name}", text) for name, text in (_BEARS | _DONE_WHEN).items()),
)
