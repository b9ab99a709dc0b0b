"""The in-memory stores do what every store does."""

import pytest

from dataagent_core.session.stores.memory import (
    MemoryEventLog,
    MemoryMessageStore,
    MemorySessionStore,
)
from dataagent_core.testing.conformance import (
    EventLogConformance,
    EventLogTenantConformance,
    JournalConformance,
    MessageStoreConformance,
    MessageStoreTenantConformance,
    SearchConformance,
    SessionStoreConformance,
    SessionStoreTenantConformance,
)


class TestMemorySessions(SessionStoreConformance, SessionStoreTenantConformance):
    @pytest.fixture
    def session_store(self) -> MemorySessionStore:
        return MemorySessionStore()

    @pytest.fixture
    def session_store_pair(self) -> tuple[MemorySessionStore, MemorySessionStore]:
        return MemorySessionStore(), MemorySessionStore()


class TestMemoryMessages(MessageStoreConformance, MessageStoreTenantConformance):
    @pytest.fixture
    def message_store(self) -> MemoryMessageStore:
        return MemoryMessageStore()

    @pytest.fixture
    def message_store_pair(self) -> tuple[MemoryMessageStore, MemoryMessageStore]:
        return MemoryMessageStore(), MemoryMessageStore()


class TestMemoryLog(EventLogConformance, JournalConformance, EventLogTenantConformance):
    @pytest.fixture
    def event_log(self) -> MemoryEventLog:
        return MemoryEventLog()

    @pytest.fixture
    def event_log_pair(self) -> tuple[MemoryEventLog, MemoryEventLog]:
        return MemoryEventLog(), MemoryEventLog()


class TestMemorySearch(SearchConformance):
    @pytest.fixture
    def session_store(self) -> MemorySessionStore:
        return MemorySessionStore()

    @pytest.fixture
    def message_store(self) -> MemoryMessageStore:
        return MemoryMessageStore()
