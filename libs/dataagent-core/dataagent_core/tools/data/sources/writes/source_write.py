"""Changes over a source's `write_url`: tried and rolled back, then run again and kept.

What was tried is a `WritePlan`; a person is asked with it in hand, maybe for hours, so nothing is
held open meanwhile. The second run is kept only when it changes as many rows as the first.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from dataagent_core.config.limits.data import DATA_WORKER_KILL_S, QUERY_TIMEOUT_S
from dataagent_core.errors import QueryFailedError, QueryRefusedError
from dataagent_core.tools.data.sources.engines.server_engine import PROGRAMS
from dataagent_core.tools.data.sources.server_url import SCHEMES, parse_server_address
from dataagent_core.tools.data.sources.source_spec import SourceSpec
from dataagent_core.tools.data.sources.workers.server_process import start_server_process
from dataagent_core.tools.data.sources.workers.worker import Worker

if TYPE_CHECKING:
    from dataagent_core.tools.data.sources.writes.write_guard import CheckedWrite


@dataclass(frozen=True, slots=True, kw_only=True)
class WritePlan:
    """A change that was tried: what would run, on which table, and how many rows it changed."""

    source: str
    sql: str
    verb: str
    schema: str
    table: str
    count: int
    # What happens besides: triggers, cascades, the server's warnings.
    notes: tuple[str, ...]
    # Of source, SQL and count: what a person agreed to is what is committed.
    sha256: str


async def try_write(
    spec: SourceSpec, change: "CheckedWrite", timeout_s: float = QUERY_TIMEOUT_S
) -> WritePlan:
    """Run the change in a transaction, count, and roll back."""
    asked = _asked(change.sql, change.verb, change.schema, change.table, timeout_s)
    answer = await _ask(spec, asked, timeout_s)
    count = int(answer["count"])
    return WritePlan(
        source=spec.name,
        sql=change.sql,
        verb=change.verb,
        schema=change.schema,
        table=change.table,
        count=count,
        notes=tuple(answer["notes"]),
        sha256=_hash(spec.name, change.sql, count),
    )


async def commit_write(
    spec: SourceSpec, plan: WritePlan, timeout_s: float = QUERY_TIMEOUT_S
) -> int:
    """Run what was tried once more and keep it, if it changes as many rows as were announced."""
    if spec.name != plan.source or plan.sha256 != _hash(plan.source, plan.sql, plan.count):
        raise QueryRefusedError("This is not the change that was tried. Try it again first.")
    asked = _asked(plan.sql, plan.verb, plan.schema, plan.table, timeout_s)
    answer = await _ask(spec, {**asked, "expected": plan.count}, timeout_s)
    if not answer["committed"]:
        raise QueryFailedError("Nothing was changed: the change was rolled back.")
    return int(answer["count"])


async def _ask(spec: SourceSpec, asked: Mapping[str, Any], timeout_s: float) -> Mapping[str, Any]:
    url = find_write_url(spec)
    address = parse_server_address(url, f"dataagent-{uuid4().hex}", spec.write_dialled)
    module = PROGRAMS[spec.kind]
    worker = Worker(lambda: start_server_process(module, address), f"The source {spec.name!r}")
    try:
        return await worker.ask("write", asked, timeout_s + DATA_WORKER_KILL_S)
    except QueryFailedError as error:
        if worker.alive or "expected" not in asked:
            raise
        raise QueryFailedError(
            f"{error} It is not known whether the change was kept: look before trying again.",
            said=error.said,
        ) from None
    finally:
        await worker.aclose()


def find_write_url(spec: SourceSpec) -> str:
    """Give the address changes go to; a sentence when there is none."""
    if spec.kind not in PROGRAMS:
        raise QueryRefusedError(
            f"{spec.name!r} is a source of kind {spec.kind}, which is only ever read. Changes are "
            "made on PostgreSQL, MySQL and MariaDB."
        )
    if not spec.write_url:
        raise QueryRefusedError(
            f"{spec.name!r} has no write_url, so nothing can be changed there. Its owner may add "
            "one, with a login that may change only what it should."
        )
    scheme = spec.write_url.partition(":")[0].partition("+")[0]
    if SCHEMES.get(scheme) != spec.kind:
        raise QueryRefusedError(f"The write_url of {spec.name!r} is not an address of {spec.kind}.")
    return spec.write_url


def _asked(sql: str, verb: str, schema: str, table: str, timeout_s: float) -> dict[str, Any]:
    return {"sql": sql, "verb": verb, "schema": schema, "table": table, "timeout_s": timeout_s}


def _hash(source: str, sql: str, count: int) -> str:
    return hashlib.sha256(json.dumps([source, sql, count]).encode()).hexdigest()
