"""What a `DeltaChannel` is rebuilt from: the nearest stored value and all writes since.

Three queries, however long the run: the parents of its checkpoints, the writes on the way back, and
the checkpoints that hold a value.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from langgraph.checkpoint.base import DeltaChannelHistory, PendingWrite
from langgraph.checkpoint.serde.base import SerializerProtocol
from sqlalchemy import Connection, select

from dataagent_server.db.tables.checkpoints import graph_checkpoints as checkpoints
from dataagent_server.db.tables.checkpoints import graph_writes as writes
from dataagent_server.stores.checkpoints.checkpoint_address import CheckpointAddress
from dataagent_server.stores.checkpoints.checkpoint_rows import in_order

Chains = dict[str, list[str]]
"""Per channel the checkpoints on the way back, the nearest first, up to one with a value."""


def delta_history(
    connection: Connection,
    address: CheckpointAddress,
    channels: Sequence[str],
    serde: SerializerProtocol,
) -> Mapping[str, DeltaChannelHistory]:
    """Collect the history of some channels up to a checkpoint, without its own writes."""
    chains, seeds = _walk(_read_light_rows(connection, address), address.checkpoint_id, channels)
    written = _read_writes(connection, address, chains, serde)
    values = _read_values(connection, address, set(seeds.values()), serde)
    histories: dict[str, DeltaChannelHistory] = {}
    for channel in channels:
        oldest_first = reversed(chains[channel])
        history: DeltaChannelHistory = {
            "writes": [one for name in oldest_first for one in written[channel, name]]
        }
        if channel in seeds:
            history["seed"] = values[seeds[channel]][channel]
        histories[channel] = history
    return histories


def _read_light_rows(connection: Connection, address: CheckpointAddress) -> dict[str, Any]:
    found = select(
        checkpoints.c.checkpoint_id, checkpoints.c.parent_checkpoint_id, checkpoints.c.channels
    ).where(
        checkpoints.c.thread_id == address.thread_id,
        checkpoints.c.checkpoint_ns == address.namespace_key,
    )
    return {row.checkpoint_id: row for row in connection.execute(found)}


def _walk(
    known: Mapping[str, Any], target: str | None, channels: Sequence[str]
) -> tuple[Chains, dict[str, str]]:
    chains: Chains = {channel: [] for channel in channels}
    seeds: dict[str, str] = {}
    here = known.get(target or max(known, default=""))
    visited: set[str] = set()
    while here is not None and len(seeds) < len(channels):
        here = known.get(here.parent_checkpoint_id or "")
        if here is None or here.checkpoint_id in visited:
            break
        visited.add(here.checkpoint_id)
        for channel in channels:
            if channel not in seeds:
                chains[channel].append(here.checkpoint_id)
                if channel in here.channels:
                    seeds[channel] = here.checkpoint_id
    return chains, seeds


def _read_writes(
    connection: Connection, address: CheckpointAddress, chains: Chains, serde: SerializerProtocol
) -> Mapping[tuple[str, str], list[PendingWrite]]:
    on_the_way = {name for chain in chains.values() for name in chain}
    found = select(writes).where(
        writes.c.thread_id == address.thread_id,
        writes.c.checkpoint_ns == address.namespace_key,
        writes.c.checkpoint_id.in_(sorted(on_the_way)),
        writes.c.channel.in_(list(chains)),
    )
    written: dict[tuple[str, str], list[PendingWrite]] = defaultdict(list)
    for row in in_order(connection.execute(found)):
        value = serde.loads_typed((row.type, row.value))
        written[row.channel, row.checkpoint_id].append((row.task_id, row.channel, value))
    return written


def _read_values(
    connection: Connection, address: CheckpointAddress, holders: set[str], serde: SerializerProtocol
) -> dict[str, dict[str, Any]]:
    found = select(checkpoints.c.checkpoint_id, checkpoints.c.type, checkpoints.c.checkpoint).where(
        checkpoints.c.thread_id == address.thread_id,
        checkpoints.c.checkpoint_ns == address.namespace_key,
        checkpoints.c.checkpoint_id.in_(sorted(holders)),
    )
    return {
        row.checkpoint_id: serde.loads_typed((row.type, row.checkpoint))["channel_values"]
        for row in connection.execute(found)
    }
