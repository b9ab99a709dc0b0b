"""Runs a write over a source's `write_url`: tried and rolled back, then run again and committed.

The trial gives a `WritePlan` for the approval. An approval may take hours, so no connection stays
open meanwhile. The second run is committed only if it changes as many rows as the first.
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
    """A write that was tried: its SQL, its table, and the number of rows it changed."""

    source: str
    sql: str
    verb: str
    schema: str
    table: str
    count: int
    # Side effects: triggers, cascades, the server's warnings.
    notes: tuple[str, ...]
    # Of source, SQL and count: the approved write is the one that is committed.
    sha256: str


async def try_write(
    spec: SourceSpec, change: "CheckedWrite", timeout_s: float = QUERY_TIMEOUT_S
) -> WritePlan:
    """Run the write in a transaction, count its rows, and roll back."""
    request = _make_request(change.sql, change.verb, change.schema, change.table, timeout_s)
    answer = await _send_write(spec, request, timeout_s)
    count = int(answer["count"])
    return WritePlan(
        source=spec.name,
        sql=change.sql,
        verb=change.verb,
        schema=change.schema,
        table=change.table,
        count=count,
        notes=tuple(answer["notes"]),
        sha256=_hash_plan(spec.name, change.sql, count),
    )


async def commit_write(
    spec: SourceSpec, plan: WritePlan, timeout_s: float = QUERY_TIMEOUT_S
) -> int:
    """Run the tried write again and commit it if it changes as many rows as the plan says."""
    if spec.name != plan.source or plan.sha256 != _hash_plan(plan.source, plan.sql, plan.count):
        raise QueryRefusedError("This is not the change that was tried. Try it again first.")
    request = _make_request(plan.sql, plan.verb, plan.schema, plan.table, timeout_s)
    answer = await _send_write(spec, {**request, "expected": plan.count}, timeout_s)
    if not answer["committed"]:
        raise QueryFailedError("Nothing was changed: the change was rolled back.")
    return int(answer["count"])


async def _send_write(
    spec: SourceSpec, request: Mapping[str, Any], timeout_s: float
) -> Mapping[str, Any]:
    url = find_write_url(spec)
    address = parse_server_address(url, f"dataagent-{uuid4().hex}", spec.write_dialled)
    module = PROGRAMS[spec.kind]
    worker = Worker(lambda: start_server_process(module, address), f"The source {spec.name!r}")
    try:
        return await worker.ask("write", request, timeout_s + DATA_WORKER_KILL_S)
    except QueryFailedError as error:
        if worker.alive or "expected" not in request:
            raise
        raise QueryFailedError(
            f"{error} It is not known whether the change was kept: look before trying again.",
            said=error.said,
        ) from None
    finally:
        await worker.aclose()


def find_write_url(spec: SourceSpec) -> str:
    """Return the address of writes; an error says why there is none."""
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


def _make_request(sql: str, verb: str, schema: str, table: str, timeout_s: float) -> dict[str, Any]:
    return {"sql": sql, "verb": verb, "schema": schema, "table": table, "timeout_s": timeout_s}


def _hash_plan(source: str, sql: str, count: int) -> str:
    return hashlib.sha256(json.dumps([source, sql, count]).encode()).hexdigest()
