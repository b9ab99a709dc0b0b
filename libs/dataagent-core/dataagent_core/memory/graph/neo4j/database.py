"""Neo4j as a store sees it: one driver for a process, and transactions that are tried again.

The driver repeats a transaction that met a deadlock or a lost connection before its commit, for
`NEO4J_RETRY_S`. One whose commit was cut short is not repeated: nobody knows whether it is stored,
and versions tell.
"""

from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar, cast
from urllib.parse import urlsplit

from neo4j import (
    READ_ACCESS,
    AsyncDriver,
    AsyncGraphDatabase,
    AsyncManagedTransaction,
    NotificationMinimumSeverity,
    unit_of_work,
)
from neo4j.exceptions import AuthError, DriverError, Neo4jError
from neo4j.exceptions import ConfigurationError as DriverConfigurationError

from dataagent_core.config.limits.neo4j import (
    NEO4J_CONNECT_S,
    NEO4J_CONNECTIONS_MAX,
    NEO4J_RETRY_S,
    NEO4J_TRANSACTION_S,
    NEO4J_WAIT_S,
)
from dataagent_core.errors import ConfigurationError
from dataagent_core.memory.graph.neo4j.neo4j_errors import explain_unreachable, translate_errors
from dataagent_core.memory.graph.neo4j.schema import STATEMENTS

T = TypeVar("T")
Work = Callable[[AsyncManagedTransaction], Awaitable[T]]
_USER_AGENT: Final = "dataagent"


class Neo4jDatabase:
    """An open connection pool."""

    def __init__(self, driver: AsyncDriver, address: str) -> None:
        self._driver = driver
        self.address = address

    @classmethod
    def connect(cls, uri: str, user: str, password: str) -> "Neo4jDatabase":
        """Make the driver, which connects when it is first used."""
        address = clean_address(uri)
        try:
            driver = AsyncGraphDatabase.driver(
                address,
                auth=(user, password),
                user_agent=_USER_AGENT,
                max_connection_pool_size=NEO4J_CONNECTIONS_MAX,
                connection_timeout=NEO4J_CONNECT_S,
                connection_acquisition_timeout=NEO4J_WAIT_S,
                max_transaction_retry_time=NEO4J_RETRY_S,
                notifications_min_severity=NotificationMinimumSeverity.OFF,
                telemetry_disabled=True,
            )
        except (DriverConfigurationError, ValueError) as error:
            raise explain_unreachable(address, error) from error
        return cls(driver, address)

    async def prepare(self) -> None:
        """Check the address and the sign-in, and make the constraints and indexes once."""
        try:
            await self._driver.verify_connectivity()
        except AuthError:
            # It says which settings these are.
            with translate_errors(self.address):
                raise
        except (DriverError, Neo4jError, OSError) as error:
            raise explain_unreachable(self.address, error) from error
        with translate_errors(self.address):
            async with self._driver.session() as session:
                for statement in STATEMENTS:
                    await (await session.run(cast("Any", statement))).consume()

    async def probe(self) -> None:
        """Raise unless Neo4j answers: for the readiness of a server."""
        with translate_errors(self.address):
            await self._driver.verify_connectivity()

    async def read(self, work: Work[T], timeout_s: float = NEO4J_TRANSACTION_S) -> T:
        """Run reads in one transaction, which the server lets write nothing."""
        with translate_errors(self.address):
            async with self._driver.session(default_access_mode=READ_ACCESS) as session:
                return await session.execute_read(unit_of_work(timeout=timeout_s)(work))

    async def write(self, work: Work[T]) -> T:
        """Run reads and writes in one transaction: all or nothing."""
        with translate_errors(self.address):
            async with self._driver.session() as session:
                return await session.execute_write(unit_of_work(timeout=NEO4J_TRANSACTION_S)(work))

    async def aclose(self) -> None:
        """Close all connections."""
        await self._driver.close()


def clean_address(uri: str) -> str:
    """Return an address that may be shown; one that holds a password is refused."""
    parts = urlsplit(uri)
    if "@" in parts.netloc:
        raise ConfigurationError(
            "DATAAGENT_NEO4J_URI holds a name or a password; they belong into "
            "DATAAGENT_NEO4J_USER and DATAAGENT_NEO4J_PASSWORD."
        )
    address = f"{parts.scheme}://{parts.netloc}"
    if parts.path.strip("/") or parts.query or parts.fragment:
        raise ConfigurationError(
            f"DATAAGENT_NEO4J_URI={address}: what follows the port does nothing. Leave it out."
        )
    return address
