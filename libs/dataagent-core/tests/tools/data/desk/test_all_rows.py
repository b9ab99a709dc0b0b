"""The rows of a cut result are had anew only as those that are kept were read."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from desks import Listed, desk_over

from dataagent_core.errors import QueryFailedError
from dataagent_core.tools.data.all_rows import all_rows
from dataagent_core.tools.data.model import QueryLimits
from dataagent_core.tools.data.sources.kinds import described
from dataagent_core.tools.data.sources.reading_choice import ReadingChoice
from dataagent_core.tools.data.sources.spec import SourceSpec

SQL = "SELECT day, amount FROM sales ORDER BY amount"


def shop(folder: Path) -> SourceSpec:
    file = folder / "sales.csv"
    file.write_text("day,amount\n03/04/2025,1\n05/06/2025,2\n07/08/2025,3\n")
    return replace(described("shop", str(file), None), dates="mdy")


@pytest.mark.parametrize(
    "choice",
    [
        ReadingChoice(dates="dmy"),
        ReadingChoice(dates="mdy", decimals="comma"),
        ReadingChoice(dates="mdy", encoding="utf-8"),
        ReadingChoice(),
    ],
)
async def test_rows_of_a_source_that_is_read_otherwise_now_are_not_added(
    tmp_path: Path, choice: ReadingChoice
):
    spec = shop(tmp_path)
    async with desk_over(tmp_path, spec) as desk:
        kept = await desk.query("shop", SQL, QueryLimits(rows_max=1))
        kept = await desk.results.get(kept.result_id)
        assert kept.truncated
        desk.book = Listed(choice.applied_to(spec))
        with pytest.raises(QueryFailedError, match=r"read in another way now.*Run the query again"):
            async with all_rows(desk, kept):
                pass
        # As it was read, all of them are there.
        desk.book = Listed(replace(spec, description="the shop"))
        async with all_rows(desk, kept) as found:
            days = pq.read_table(found.path).column("day").to_pylist()
    assert days == [date(2025, 3, 4), date(2025, 5, 6), date(2025, 7, 8)]


async def test_rows_of_a_result_that_does_not_say_how_it_was_read_are_had(tmp_path: Path):
    spec = shop(tmp_path)
    async with desk_over(tmp_path, spec) as desk:
        kept = await desk.query("shop", SQL, QueryLimits(rows_max=1))
        old = replace(kept, lineage=replace(kept.lineage, reading=None))
        desk.book = Listed(replace(spec, dates="dmy"))
        async with all_rows(desk, old) as found:
            assert found.row_count == 3
