"""The SQLite stores do what every store does."""

import pytest

from dataagent_core.session.stores.sql import SqlEventLog, SqlMessageStore, SqlSessionStore
from dataagent_core.session.stores.sqlite import SqliteDatabase
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


class TestSqliteSessions(SessionStoreConformance, SessionStoreTenantConformance):
    @pytest.fixture
    def session_store(self, database: SqliteDatabase) -> SqlSessionStore:
        return SqlSessionStore(database, "mine")

    @pytest.fixture
    def session_store_pair(
        self, database: SqliteDatabase
    ) -> tuple[SqlSessionStore, SqlSessionStore]:
        return SqlSessionStore(database, "mine"), SqlSessionStore(database, "theirs")


class TestSqliteMessages(MessageStoreConformance, MessageStoreTenantConformance):
    @pytest.fixture
    def message_store(self, database: SqliteDatabase) -> SqlMessageStore:
        return SqlMessageStore(database, "mine")

    @pytest.fixture
    def message_store_pair(
        self, database: SqliteDatabase
    ) -> tuple[SqlMessageStore, SqlMessageStore]:
        return SqlMessageStore(database, "mine"), SqlMessageStore(database, "theirs")


class TestSqliteLog(EventLogConformance, JournalConformance, EventLogTenantConformance):
    @pytest.fixture
    def event_log(self, database: SqliteDatabase) -> SqlEventLog:
        return SqlEventLog(database, "mine")

    @pytest.fixture
    def event_log_pair(self, database: SqliteDatabase) -> tuple[SqlEventLog, SqlEventLog]:
        return SqlEventLog(database, "mine"), SqlEventLog(database, "theirs")


class TestSqliteSearch(SearchConformance):
    @pytest.fixture
    def session_store(self, database: SqliteDatabase) -> SqlSessionStore:
        return SqlSessionStore(database, "mine")

    @pytest.fixture
    def message_store(self, database: SqliteDatabase) -> SqlMessageStore:
        return SqlMessageStore(database, "mine")
