"""The tracer of an engine: a session's log says which results there are, the store holds them."""

import asyncio
import hashlib
import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from dataagent_core.config.limits.data import RECEIPT_CELLS_MAX, RECEIPT_EVENTS_PAGE
from dataagent_core.errors import NotFoundError
from dataagent_core.session import EventLog
from dataagent_core.tools.data.receipts.result_ledger import ResultLedger, ResultReceipt
from dataagent_core.tools.data.receipts.trace_values import TraceResult, UserStatements
from dataagent_core.tools.data.results.result_store import ResultStore

if TYPE_CHECKING:
    import pyarrow as pa

    from dataagent_core.tools.data.receipts.measures.column_aliases import ColumnAliases
    from dataagent_core.tools.data.receipts.result_values.result_index import ResultIndex

logger = logging.getLogger(__name__)


class ConversationReader(Protocol):
    """Reads what the user wrote in a session, and whether there is data to query."""

    async def of(self, session_id: str) -> UserStatements:
        """Read the user's statements in a session."""
        ...


@dataclass(frozen=True, slots=True)
class SessionTracer:
    """Traces the answers of sessions whose results are in one store."""

    log: EventLog
    # Gives the store; it is opened when there is a result to read.
    open_results: Callable[[], ResultStore]
    aliases: "ColumnAliases | None" = None
    conversations: ConversationReader | None = None

    async def trace(self, session_id: str, text: str) -> TraceResult:
        """Find the source of each figure of an answer."""
        if not any(char.isnumeric() for char in text):
            return TraceResult()
        ledger = await self._load_ledger(session_id)
        if not ledger.about_data:
            return await self._trace_unqueried(session_id, text, ledger)
        # Arrow is large, and most sessions are not about data.
        from dataagent_core.tools.data.receipts.figure_trace import trace_figures

        indexes: list[ResultIndex] = []
        unchecked: list[str] = []
        cells = 0
        # What the text names is looked at first, should there not be room for all.
        for receipt in sorted(ledger.results, key=lambda one: one.result_id not in text):
            index, cells = await self._load_index(receipt, cells)
            if index is None:
                unchecked.append(receipt.result_id)
            else:
                indexes.append(index)
        order = [receipt.result_id for receipt in ledger.results]
        indexes.sort(key=lambda index: order.index(index.result_id))
        return await asyncio.to_thread(
            trace_figures, text, indexes, ledger.outputs, unchecked=unchecked
        )

    async def _trace_unqueried(
        self, session_id: str, text: str, ledger: ResultLedger
    ) -> TraceResult:
        """Mark what an answer says about data although no query returned anything."""
        if self.conversations is None:
            return TraceResult()
        spoken = await self.conversations.of(session_id)
        if spoken.attached:
            return TraceResult()  # what was attached is in no event: it may hold any figure
        from dataagent_core.tools.data.receipts.unqueried_figures import list_unqueried_figures

        found = await asyncio.to_thread(list_unqueried_figures, text, spoken, ledger.outputs)
        return TraceResult(unsourced=found)

    async def _load_ledger(self, session_id: str) -> ResultLedger:
        ledger = ResultLedger()
        after = 0
        while page := await self.log.read(
            session_id, after=after, limit=RECEIPT_EVENTS_PAGE, types=("tool_result",)
        ):
            ledger = ledger.adding(page)
            after = page[-1].seq or 0
        return ledger

    async def _load_index(
        self, receipt: ResultReceipt, cells: int
    ) -> "tuple[ResultIndex | None, int]":
        """Index a result if it exists, is unchanged, and fits the limit."""
        import pyarrow as pa

        from dataagent_core.tools.data.receipts.result_values.result_index import index_result

        try:
            results = self.open_results()
            kept = await results.get(receipt.result_id)
            path = await results.path(receipt.result_id)
        except NotFoundError:
            return None, cells
        needed = cells + kept.row_count * len(kept.columns)
        if needed > RECEIPT_CELLS_MAX:
            return None, cells
        try:
            table = await asyncio.to_thread(_read_result, path, receipt.sha256)
        except (OSError, pa.ArrowException):
            logger.exception("cannot read result %s to trace figures", receipt.result_id)
            table = None
        if table is None:
            return None, cells
        names = table.column_names
        aliases = await self.aliases.of(kept, names) if self.aliases is not None else {}
        index = await asyncio.to_thread(
            index_result, receipt.result_id, table, truncated=kept.truncated, aliases=aliases
        )
        return index, needed


def _read_result(path: Path, sha256: str) -> "pa.Table | None":
    """Read a result; None if its hash is another than the recorded one."""
    import pyarrow.parquet as pq

    with path.open("rb") as file:
        if hashlib.file_digest(file, "sha256").hexdigest() != sha256:
            logger.warning("result %s is not what the receipt says", path.name)
            return None
    return pq.read_table(path)
