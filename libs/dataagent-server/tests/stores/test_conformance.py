"""Core's suites on every database: what a store does is what core says a store does."""

from collections.abc import AsyncGenerator

import pytest
from redis.asyncio import Redis

from dataagent_core.patterns import PatternStore
from dataagent_core.session import EventLog, MessageStore, SessionStore
from dataagent_core.session.stores.redis import RedisSessionStore
from dataagent_core.testing.conformance import (
    EventLogConformance,
    EventLogTenantConformance,
    JournalConformance,
    MessageStoreConformance,
    MessageStoreTenantConformance,
    PatternStoreConformance,
    PatternStoreTenantConformance,
    SearchConformance,
    SessionStoreConformance,
    SessionStoreTenantConformance,
    UsageStoreConformance,
    UsageStoreTenantConformance,
)
from dataagent_core.usage import UsageStore
from dataagent_server.agents.patterns.pattern_store import open_pattern_store
from dataagent_server.common.ids import TenantId
from dataagent_server.db.database import Database
from dataagent_server.stores.batched_writes import BatchedWrites
from dataagent_server.stores.event_log import ServerEventLog
from dataagent_server.stores.log_writer import LogWriter
from dataagent_server.stores.messages import ServerMessageStore
from dataagent_server.stores.sessions import ServerSessionStore
from dataagent_server.stores.usage import open_usage_store

pytestmark = pytest.mark.every_database


class TestSessions(SessionStoreConformance, SessionStoreTenantConformance):
    @pytest.fixture
    def session_store(self, database: Database) -> SessionStore:
        return ServerSessionStore(database, "t")

    @pytest.fixture
    def session_store_pair(self, database: Database) -> tuple[SessionStore, SessionStore]:
        return ServerSessionStore(database, "one"), ServerSessionStore(database, "two")


class TestMessages(MessageStoreConformance, MessageStoreTenantConformance):
    @pytest.fixture
    def message_store(self, database: Database) -> MessageStore:
        return ServerMessageStore(database, "t")

    @pytest.fixture
    def message_store_pair(self, database: Database) -> tuple[MessageStore, MessageStore]:
        return ServerMessageStore(database, "one"), ServerMessageStore(database, "two")


class TestLog(EventLogConformance, JournalConformance, EventLogTenantConformance):
    @pytest.fixture
    def event_log(self, database: Database) -> EventLog:
        return ServerEventLog(LogWriter(database), "t")

    @pytest.fixture
    def event_log_pair(self, database: Database) -> tuple[EventLog, EventLog]:
        writer = LogWriter(database)
        return ServerEventLog(writer, "one"), ServerEventLog(writer, "two")


class TestRedisSessions(SessionStoreConformance, SessionStoreTenantConformance):
    @pytest.fixture
    async def redis(self, redis_url: str) -> AsyncGenerator[Redis]:
        async with Redis.from_url(redis_url) as client:
            yield client

    @pytest.fixture
    def session_store(self, redis: Redis) -> SessionStore:
        return RedisSessionStore(redis, "t")

    @pytest.fixture
    def session_store_pair(self, redis: Redis) -> tuple[SessionStore, SessionStore]:
        return RedisSessionStore(redis, "one"), RedisSessionStore(redis, "two")


class TestSearch(SearchConformance):
    @pytest.fixture
    def session_store(self, database: Database) -> SessionStore:
        return ServerSessionStore(database, "t")

    @pytest.fixture
    def message_store(self, database: Database) -> MessageStore:
        return ServerMessageStore(database, "t")


class TestSearchOfRedisSessions(SearchConformance):
    @pytest.fixture
    async def session_store(self, redis_url: str) -> AsyncGenerator[SessionStore]:
        async with Redis.from_url(redis_url) as client:
            yield RedisSessionStore(client, "t")

    @pytest.fixture
    def message_store(self, database: Database) -> MessageStore:
        return ServerMessageStore(database, "t")


class TestUsage(UsageStoreConformance, UsageStoreTenantConformance):
    @pytest.fixture
    def usage_book(self, database: Database) -> UsageStore:
        return open_usage_store(BatchedWrites(database), "t")

    @pytest.fixture
    def usage_book_pair(self, database: Database) -> tuple[UsageStore, UsageStore]:
        together = BatchedWrites(database)
        return open_usage_store(together, "one"), open_usage_store(together, "two")


class TestPatterns(PatternStoreConformance, PatternStoreTenantConformance):
    @pytest.fixture
    def pattern_store(self, database: Database) -> PatternStore:
        return open_pattern_store(database, TenantId("one"))

    @pytest.fixture
    def pattern_store_pair(self, database: Database) -> tuple[PatternStore, PatternStore]:
        one, two = (open_pattern_store(database, TenantId(name)) for name in ("one", "two"))
        return one, two
