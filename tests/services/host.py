"""One server of each kind for a whole test run, started when the first test asks for it.

pytest's controlling process starts the servers and ends them; the workers of pytest-xdist ask it
for a port over a Unix socket. A test that stops a server starts one of its own instead (`own_service`).
The zygote (`tests/warm`) is shared in the same way: importing everything takes 8 s.
"""

import shutil
import tempfile
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path

from tests.services.mariadb import MariaDBService
from tests.services.neo4j.service import Neo4jService
from tests.services.postgresql import PostgreSQLService
from tests.services.process import Service
from tests.services.redis import RedisService
from tests.warm.zygote import Zygote

ZYGOTE = "zygote"
KINDS: Mapping[str, Callable[[], Service]] = {
    "postgresql": PostgreSQLService,
    "mariadb": MariaDBService,
    "redis": RedisService,
    "neo4j": Neo4jService,
}


class ServiceHost:
    """Starts each service once and tells its port.

    One thread does all of it: a service ends with the thread that started it (PR_SET_PDEATHSIG).
    """

    def __init__(self) -> None:
        self._directory = Path(tempfile.mkdtemp(prefix="dataagent-services-"))
        self.address = str(self._directory / "host")
        self._services: dict[str, Service] = {}
        self._zygote: Zygote | None = None
        self._listener = Listener(self.address)
        self._thread = threading.Thread(target=self._serve, name="services", daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            with self._listener.accept() as caller:
                try:
                    name: str | None = caller.recv()
                    if name is None:
                        break
                    caller.send(self._zygote_address() if name == ZYGOTE else self._port_of(name))
                except EOFError:  # the worker ended before its request
                    continue
                except Exception as error:  # noqa: BLE001 (the worker that asked fails with it)
                    with suppress(OSError):
                        caller.send(error)
        for service in self._services.values():
            service.remove()
        if self._zygote is not None:
            self._zygote.close()

    def _port_of(self, name: str) -> int:
        if name not in self._services:
            service = KINDS[name]()
            service.start()
            self._services[name] = service
        return self._services[name].port

    def _zygote_address(self) -> str:
        if self._zygote is None:
            self._zygote = Zygote()
        return self._zygote.address

    def close(self) -> None:
        """End every service that was started."""
        with Client(self.address) as connection:
            connection.send(None)
        self._thread.join()
        self._listener.close()
        shutil.rmtree(self._directory, ignore_errors=True)


def port_of(name: str, address: str) -> int:
    """Ask the host at this address for a service's port; raise what prevented its start."""
    return int(_asked(name, address))


def zygote_at(address: str) -> str:
    """Ask the host at this address for the socket of the zygote."""
    return str(_asked(ZYGOTE, address))


def _asked(name: str, address: str) -> int | str:
    connection: Connection
    with Client(address) as connection:
        connection.send(name)
        answer: int | str | Exception = connection.recv()
    if isinstance(answer, Exception):
        raise answer
    return answer
