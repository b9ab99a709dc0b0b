"""The rows of a cut result are had anew only as those that are kept were read."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from query_services import Listed, open_queries

from dataagent_core.errors import QueryFailedError
from dataagent_core.tools.data.complete_rows import open_complete_rows
from dataagent_core.tools.data.data_model import QueryLimits
from dataagent_core.tools.data.sources.read_options import ReadOptions
from dataagent_core.tools.data.sources.source_kinds import make_source_spec
from dataagent_core.tools.data.sources.source_spec import SourceSpec

SQL = "SELECT day, amount FROM sales ORDER BY amount"


def shop(folder: Path) -> SourceSpec:
    file = folder / "sales.csv"
    file.write_text("day,amount\n03/04/2025,1\n05/06/2025,2\n07/08/2025,3\n")
    return replace(make_source_spec("shop", str(file), None), dates="mdy")


@pytest.mark.parametrize(
    "choice",
    [
        ReadOptions(dates="dmy"),
        ReadOptions(dates="mdy", decimals="comma"),
        ReadOptions(dates="mdy", encoding="utf-8"),
        ReadOptions(),
    ],
)
async def test_rows_of_a_source_that_is_read_otherwise_now_are_not_added(
    tmp_path: Path, choice: ReadOptions
):
    spec = shop(tmp_path)
    async with open_queries(tmp_path, spec) as queries:
        kept = await queries.query("shop", SQL, QueryLimits(rows_max=1))
        kept = await queries.results.get(kept.result_id)
        assert kept.truncated
        queries.sources = Listed(choice.applied_to(spec))
        with pytest.raises(QueryFailedError, match=r"read in another way now.*Run the query again"):
            async with open_complete_rows(queries, kept):
                pass
        # As it was read, all of them are there.
        queries.sources = Listed(replace(spec, description="the shop"))
        async with open_complete_rows(queries, kept) as found:
            days = pq.read_table(found.path).column("day").to_pylist()
    assert days == [date(2025, 3, 4), date(2025, 5, 6), date(2025, 7, 8)]


async def test_rows_of_a_result_that_does_not_say_how_it_was_read_are_had(tmp_path: Path):
    spec = shop(tmp_path)
    async with open_queries(tmp_path, spec) as queries:
        kept = await queries.query("shop", SQL, QueryLimits(rows_max=1))
        old = replace(kept, lineage=replace(kept.lineage, reading=None))
        queries.sources = Listed(replace(spec, dates="dmy"))
        async with open_complete_rows(queries, old) as found:
            assert found.row_count == 3
