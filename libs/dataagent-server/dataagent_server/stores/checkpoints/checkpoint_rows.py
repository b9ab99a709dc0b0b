"""Reads checkpoints and their pending writes."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from langgraph.checkpoint.base import CheckpointTuple, PendingWrite, writes_sort_key
from langgraph.checkpoint.serde.base import SerializerProtocol
from sqlalchemy import Connection, Row, select

from dataagent_server.db.tables.checkpoints import graph_checkpoints as checkpoints
from dataagent_server.db.tables.checkpoints import graph_writes as writes
from dataagent_server.stores.checkpoints.checkpoint_address import CheckpointAddress, config_of


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckpointFilter:
    """A filter of checkpoints."""

    address: CheckpointAddress | None
    any_namespace: bool
    before: str | None
    limit: int | None
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])


def read_one(
    connection: Connection, address: CheckpointAddress, serde: SerializerProtocol
) -> CheckpointTuple | None:
    """Read the checkpoint at an address, or the newest there."""
    found = select(checkpoints).where(
        checkpoints.c.thread_id == address.thread_id,
        checkpoints.c.checkpoint_ns == address.namespace_key,
    )
    if address.checkpoint_id is not None:
        found = found.where(checkpoints.c.checkpoint_id == address.checkpoint_id)
    newest = found.order_by(checkpoints.c.checkpoint_id.desc()).limit(1)
    row = connection.execute(newest).one_or_none()
    if row is None:
        return None
    waiting = _read_pending(
        connection, row.thread_id, row.checkpoint_ns, [row.checkpoint_id], serde
    )
    return _make_tuple(row, waiting.get(row.checkpoint_id, []), serde)


def read_several(
    connection: Connection, wanted: CheckpointFilter, serde: SerializerProtocol
) -> list[CheckpointTuple]:
    """Read checkpoints, the newest first."""
    found = select(checkpoints)
    if wanted.address is not None:
        found = found.where(checkpoints.c.thread_id == wanted.address.thread_id)
        if not wanted.any_namespace:
            found = found.where(checkpoints.c.checkpoint_ns == wanted.address.namespace_key)
        if wanted.address.checkpoint_id is not None:
            found = found.where(checkpoints.c.checkpoint_id == wanted.address.checkpoint_id)
    if wanted.before is not None:
        found = found.where(checkpoints.c.checkpoint_id < wanted.before)
    ordered = connection.execute(found.order_by(checkpoints.c.checkpoint_id.desc()))
    matching = (row for row in ordered if wanted.metadata.items() <= row.metadata.items())
    kept = list(islice(matching, wanted.limit))
    by_graph: dict[tuple[str, str], list[str]] = defaultdict(list)
    for row in kept:
        by_graph[row.thread_id, row.checkpoint_ns].append(row.checkpoint_id)
    waiting = {
        graph: _read_pending(connection, *graph, ids, serde) for graph, ids in by_graph.items()
    }
    return [
        _make_tuple(
            row, waiting[row.thread_id, row.checkpoint_ns].get(row.checkpoint_id, []), serde
        )
        for row in kept
    ]


def in_order(rows: Iterable[Row[Any]]) -> list[Row[Any]]:
    """Sort writes as the engine applied them, not by the names of their tasks."""
    return sorted(rows, key=lambda row: writes_sort_key(row.task_path, row.task_id, row.idx))


def _read_pending(
    connection: Connection,
    thread_id: str,
    namespace_key: str,
    checkpoint_ids: Sequence[str],
    serde: SerializerProtocol,
) -> dict[str, list[PendingWrite]]:
    found = select(writes).where(
        writes.c.thread_id == thread_id,
        writes.c.checkpoint_ns == namespace_key,
        writes.c.checkpoint_id.in_(checkpoint_ids),
    )
    waiting: dict[str, list[PendingWrite]] = defaultdict(list)
    for row in in_order(connection.execute(found)):
        value = serde.loads_typed((row.type, row.value))
        waiting[row.checkpoint_id].append((row.task_id, row.channel, value))
    return waiting


def _make_tuple(
    row: Row[Any], waiting: list[PendingWrite], serde: SerializerProtocol
) -> CheckpointTuple:
    namespace = row.long_checkpoint_ns or row.checkpoint_ns
    parent = row.parent_checkpoint_id
    return CheckpointTuple(
        config=config_of(row.thread_id, namespace, row.checkpoint_id),
        checkpoint=serde.loads_typed((row.type, row.checkpoint)),
        metadata=row.metadata,
        parent_config=config_of(row.thread_id, namespace, parent) if parent else None,
        pending_writes=waiting,
    )
