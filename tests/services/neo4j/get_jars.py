"""Download Neo4j into .venv/services/neo4j: the jars of `jars.txt`, each checked by its SHA-256.

`jars.txt` is what Maven resolves for `org.neo4j:neo4j` and `org.neo4j.app:neo4j-server` of one
version (`mvn dependency:copy-dependencies -DincludeScope=runtime`): checksum, bytes, path.
"""

import hashlib
import shutil
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple
from urllib.request import urlopen

LIST = Path(__file__).with_name("jars.txt")
FOLDER = Path(__file__).parents[3] / ".venv" / "services" / "neo4j"
_REPOSITORY = "https://repo1.maven.org/maven2/"
_CONNECTIONS = 8
_ANSWER_S = 60
_ATTEMPTS = 3
_ALL_BYTES_MAX = 200_000_000


class Jar(NamedTuple):
    """A line of the list."""

    sha256: str
    bytes: int
    path: str

    @property
    def name(self) -> str:
        return self.path.rsplit("/", 1)[-1]


def read_list() -> Iterator[Jar]:
    """Read which jars there are."""
    for line in LIST.read_text().splitlines():
        sha256, size, path = line.split()
        yield Jar(sha256, int(size), path)


def main() -> None:
    """Download what is missing, and remove what is not in the list any more."""
    if shutil.which("java") is None:
        sys.exit("Neo4j needs Java 17 or newer; this machine has none.")
    jars = list(read_list())
    if sum(jar.bytes for jar in jars) > _ALL_BYTES_MAX:
        sys.exit(f"The jars of {LIST.name} are more than {_ALL_BYTES_MAX} bytes.")
    FOLDER.mkdir(parents=True, exist_ok=True)
    for file in FOLDER.iterdir():
        if file.name not in {jar.name for jar in jars}:
            file.unlink()
    with ThreadPoolExecutor(_CONNECTIONS) as threads:
        list(threads.map(_fetch, jars))


def _fetch(jar: Jar) -> None:
    file = FOLDER / jar.name
    if file.exists() and file.stat().st_size == jar.bytes:
        return
    content = _download(jar)
    if hashlib.sha256(content).hexdigest() != jar.sha256:
        sys.exit(f"{jar.path} is not what {LIST.name} says: {len(content)} bytes.")
    part = file.with_suffix(".part")
    part.write_bytes(content)
    part.replace(file)


def _download(jar: Jar) -> bytes:
    for left in reversed(range(_ATTEMPTS)):
        try:
            with urlopen(_REPOSITORY + jar.path, timeout=_ANSWER_S) as answer:
                return answer.read(jar.bytes + 1)
        except OSError as error:
            if not left:
                sys.exit(f"{jar.path} cannot be downloaded: {error}")
    raise AssertionError(_ATTEMPTS)


if __name__ == "__main__":
    main()
