"""Nothing that is asked of data holds a request for longer than it may.

Each question here would take minutes if it were let: who waits is answered all the same.
"""

import pytest
from shop_server import Shop

# The engine computes what is constant while it plans.
FOLDED = "SELECT levenshtein(repeat('a', 600000), repeat('b', 600000)) AS s"


async def test_a_query_whose_plan_computes_ends_at_its_timeout(shop: Shop):
    ann = await shop.asker("ann")
    await shop.add(ann)
    body = {"source": "shop", "sql": FOLDED, "timeout_s": 1, "confirmed": True}
    answer = await ann.ask("POST", "/data/query", body)
    assert answer.json()["error_code"] == "QUERY_FAILED"
    assert "did not answer within" in answer.json()["message"]


@pytest.mark.slow
async def test_a_check_whose_plan_computes_ends_by_itself(shop: Shop):
    ann = await shop.asker("ann")
    await shop.add(ann)
    checked = await ann.fetch("POST", "/data/check", {"source": "shop", "sql": FOLDED})
    assert not checked["ok"]
    assert "did not answer within" in checked["problem"]["message"]


@pytest.mark.parametrize(("columns", "is_read"), [(3_000, True), (30_000, False)])
async def test_a_file_of_many_columns_is_read_or_told_of(shop: Shop, columns: int, is_read: bool):
    cells = (f"c{n}" for n in range(columns)), ("1" for _ in range(columns))
    (shop.folder / "wide.csv").write_text("".join(",".join(line) + "\n" for line in cells))
    ann = await shop.asker("ann")
    await shop.add(ann)
    told = await ann.fetch("POST", "/data/sources/shop/test")
    asked = await ann.ask("POST", "/data/query", {"source": "shop", "sql": "SELECT c7 FROM wide"})
    if is_read:
        assert told["tables"] == 2
        assert asked.json()["rows"] == [[1]]
        described = await ann.ask("GET", "/data/tables/describe", source="shop", table="wide")
        assert described.status_code == 200
    else:
        assert [note for note in told["notes"] if "wide.csv: it cannot be read" in note]
        assert asked.json()["error_code"] in {"QUERY_FAILED", "QUERY_REFUSED"}, asked.text
    assert (await ann.query("SELECT count(*) AS n FROM orders"))["rows"] == [[3]]
