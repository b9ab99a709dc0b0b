"""The page about data names every block a report may have, with its fields."""

from pathlib import Path

import pytest

from dataagent_core.tools.data.reports import report_blocks

PAGE = (Path(__file__).parents[6] / "docs" / "data.md").read_text()
KINDS = [
    one
    for name, one in vars(report_blocks).items()
    if name.endswith("Block") and not name.startswith("_") and isinstance(one, type)
]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_block_stands_in_the_table_with_its_fields(kind: type[report_blocks.HeadingBlock]):
    fields = dict(kind.model_fields)
    (name,) = fields.pop("type").annotation.__args__  # pyright: ignore[reportOptionalMemberAccess, reportAttributeAccessIssue]
    (row,) = (line for line in PAGE.splitlines() if line.startswith(f"| `{name}` |"))
    assert [field for field in fields if f"`{field}`" not in row] == []
