"""What every adapter of a port must do, as test classes to inherit from.

    class TestMySessions(SessionStoreConformance):
        @pytest.fixture
        def session_store(self) -> SessionStore: ...

A subclass provides the fixtures its suite names: `session_store`, `message_store`, `event_log`,
`usage_book` or `workspace_pair`, fresh for each test, and for the `...TenantConformance` suites a
`..._pair`: two stores of the same backend, opened for different tenants. The tests are
asynchronous (pytest-asyncio, mode `auto`).
"""

import pytest

# So that a failing adapter sees both sides of the comparison.
pytest.register_assert_rewrite(
    *(
        f"{__name__}.{suite}"
        for suite in (
            "event_log",
            "graph",
            "graph_world",
            "journal",
            "mcp_oauth",
            "memory",
            "memory_index",
            "memory_service",
            "messages",
            "patterns",
            "search",
            "sessions",
            "tenants",
            "usage",
            "workspaces",
        )
    )
)

from dataagent_core.testing.conformance.event_log import EventLogConformance  # noqa: E402
from dataagent_core.testing.conformance.graph import (  # noqa: E402
    GraphStoreConformance,
    GraphStoreTenantConformance,
)
from dataagent_core.testing.conformance.graph_world import (  # noqa: E402
    GraphStep,
    GraphWorld,
    graph_steps,
)
from dataagent_core.testing.conformance.journal import JournalConformance  # noqa: E402
from dataagent_core.testing.conformance.memory import (  # noqa: E402
    MemoryStoreConformance,
    MemoryStoreTenantConformance,
)
from dataagent_core.testing.conformance.memory_index import (  # noqa: E402
    MemoryIndexConformance,
    MemoryIndexTenantConformance,
)
from dataagent_core.testing.conformance.memory_service import (  # noqa: E402
    MemoryServiceConformance,
)
from dataagent_core.testing.conformance.messages import MessageStoreConformance  # noqa: E402
from dataagent_core.testing.conformance.patterns import (  # noqa: E402
    PatternStoreConformance,
    PatternStoreTenantConformance,
)
from dataagent_core.testing.conformance.search import SearchConformance  # noqa: E402
from dataagent_core.testing.conformance.sessions import SessionStoreConformance  # noqa: E402
from dataagent_core.testing.conformance.tenants import (  # noqa: E402
    EventLogTenantConformance,
    MessageStoreTenantConformance,
    SessionStoreTenantConformance,
)
from dataagent_core.testing.conformance.usage import (  # noqa: E402
    UsageStoreConformance,
    UsageStoreTenantConformance,
)
from dataagent_core.testing.conformance.workspaces import (  # noqa: E402
    WorkspaceManagerConformance,
)

__all__ = [
    "EventLogConformance",
    "EventLogTenantConformance",
    "GraphStep",
    "GraphStoreConformance",
    "GraphStoreTenantConformance",
    "GraphWorld",
    "JournalConformance",
    "MemoryIndexConformance",
    "MemoryIndexTenantConformance",
    "MemoryServiceConformance",
    "MemoryStoreConformance",
    "MemoryStoreTenantConformance",
    "MessageStoreConformance",
    "MessageStoreTenantConformance",
    "PatternStoreConformance",
    "PatternStoreTenantConformance",
    "SearchConformance",
    "SessionStoreConformance",
    "SessionStoreTenantConformance",
    "UsageStoreConformance",
    "UsageStoreTenantConformance",
    "WorkspaceManagerConformance",
    "graph_steps",
]
