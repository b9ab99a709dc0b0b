"""What a project calls its columns is how an answer may name them."""

from pathlib import Path
from typing import Any

import duckdb
import pytest
from agents import events_of, executor, scripted

from dataagent_core.events import TextEvent
from dataagent_core.tools.data.data_model import Catalogue, Column, Table
from dataagent_core.tools.data.receipts.measures.column_aliases import collect_column_aliases
from dataagent_core.tools.data.semantic.semantic_model import SemanticModel

MODEL = SemanticModel.model_validate(
    {
        "datasets": [{"name": "trades", "source": "shop"}],
        "metrics": [
            {
                "name": "gmv_amt",
                "dataset": "trades",
                "expr": "sum(amt)",
                "description": "What was sold before refunds, without tax and shipping.",
                "synonyms": ["成交总额", "gross merchandise value"],
            }
        ],
    }
)


def table(name: str, comment: str) -> Table:
    return Table(
        name=name, columns=(Column(name="amt", type="BIGINT", kind="integer", comment=comment),)
    )


CATALOGUE = Catalogue(
    dialect="duckdb",
    tables=(table("trades", "成交额 (paid amount)"), table("refunds", "退款额")),
    fingerprint="f",
)


def test_synonyms_are_aliases_and_sentences_are_not():
    assert collect_column_aliases(["gmv_amt", "n"], "SELECT 1", None, MODEL) == {
        "gmv_amt": ["成交总额", "gross merchandise value"]
    }


@pytest.mark.parametrize("column", ["amt", "sum(amt)", "total_amt"])
def test_a_comment_of_a_table_that_is_asked_is_an_alias(column: str):
    sql = f'SELECT sum(amt) AS "{column}" FROM trades'
    assert collect_column_aliases([column], sql, CATALOGUE, None) == {
        column: ["成交额", "paid amount"]
    }


def test_a_column_with_a_word_more_is_another():
    assert collect_column_aliases(["amt_refunded"], "SELECT 1 FROM trades", CATALOGUE, None) == {}


async def test_an_answer_may_call_a_column_what_its_comment_calls_it(tmp_path: Path):
    with duckdb.connect(str(tmp_path / "shop.duckdb")) as shop:
        shop.execute("CREATE TABLE trades (ch VARCHAR, a1 BIGINT, a2 BIGINT)")
        shop.execute("INSERT INTO trades VALUES ('app', 74281, 25316), ('web', 39156, 12874)")
        shop.execute("COMMENT ON COLUMN trades.a1 IS '履约额'")
        shop.execute("COMMENT ON COLUMN trades.a2 IS '拼团量'")
    args = {"source": "/shop.duckdb", "sql": "SELECT * FROM trades"}
    model = scripted(
        {"tool_calls": [{"name": "sql_query", "args": args}]},
        {"text": "app 的履约额为 74,281\uff0c拼团量为 74,281。"},
    )
    events = await events_of(executor(model, tmp_path))
    final: Any = [e for e in events if isinstance(e, TextEvent) and e.is_final][-1]
    assert [(one["class"], one["detail"]) for one in final.figures] == [("result", "a1, row 1")]
    assert [one["reason"] for one in final.unsourced] == ["other_column"]
