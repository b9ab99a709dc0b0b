"""Nobody takes all the handshake sessions a process can hold."""

import pytest

from dataagent_server.api.mcp.mcp_sessions import MCPSessions
from dataagent_server.common.errors import RateLimitedError
from dataagent_server.common.ids import TenantId
from dataagent_server.identity.auth.principal import Principal

ANN = Principal(TenantId("t"), "ann", "member")
BOB = Principal(TenantId("t"), "bob", "member")


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_person_has_so_many_and_others_still_have_room():
    sessions = MCPSessions(per_person=2, idle_s=10, clock=Clock())
    sessions.note_use(ANN, "a")
    sessions.check_limit(ANN)
    sessions.note_use(ANN, "b")
    with pytest.raises(RateLimitedError, match="2 MCP sessions"):
        sessions.check_limit(ANN)
    sessions.check_limit(BOB)


def test_one_that_ended_or_idled_makes_room():
    clock = Clock()
    sessions = MCPSessions(per_person=2, idle_s=10, clock=clock)
    sessions.note_use(ANN, "a")
    sessions.note_use(ANN, "b")
    sessions.forget(ANN, "a")
    sessions.check_limit(ANN)
    sessions.note_use(ANN, "c")
    clock.now = 6
    sessions.note_use(ANN, "b")
    clock.now = 11
    sessions.check_limit(ANN)
    sessions.note_use(ANN, "d")
    with pytest.raises(RateLimitedError):
        sessions.check_limit(ANN)
