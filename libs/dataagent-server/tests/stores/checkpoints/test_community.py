"""Why MySQL has a saver of our own: what `langgraph-checkpoint-mysql` 3.0.0 does with our state.

It passes LangGraph's conformance suite, which knows no delta channels. Core keeps messages in one,
so the answers of tools that ran in parallel would come back in another order than they were given.
"""

import aiomysql.connection
import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.mysql.aio import AIOMySQLSaver
from pymysql.converters import escape_bytes

from tests.services.mariadb import MariaDB

CONFIG: RunnableConfig = {"configurable": {"thread_id": "r", "checkpoint_ns": ""}}
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


@pytest.fixture
def url(mariadb_service: MariaDB):
    mariadb_service.create("community")
    yield mariadb_service.url("community")
    mariadb_service.drop("community")


async def test_it_cannot_send_bytes_with_this_pymysql(url: str):
    async with AIOMySQLSaver.from_conn_string(url) as saver:
        await saver.setup()
        config = await saver.aput(CONFIG, empty_checkpoint(), {"step": 0}, {})
        with pytest.raises(TypeError):
            await saver.aput_writes(config, [("messages", "x")], "task")


async def test_even_so_helped_it_turns_the_deltas_of_parallel_tasks_around(
    url: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(aiomysql.connection, "escape_bytes_prefixed", escape_bytes)
    async with AIOMySQLSaver.from_conn_string(url) as saver:
        await saver.setup()
        first = await saver.aput(CONFIG, empty_checkpoint(), {"step": 0}, {})
        await saver.aput_writes(first, [("messages", "second")], "aaa", "~__pregel_pull, b")
        await saver.aput_writes(first, [("messages", "first")], "zzz", "~__pregel_pull, a")
        last = await saver.aput(first, empty_checkpoint(), {"step": 1}, {})
        history = await saver.aget_delta_channel_history(config=last, channels=["messages"])
    assert [write[2] for write in history["messages"]["writes"]] == ["second", "first"]
