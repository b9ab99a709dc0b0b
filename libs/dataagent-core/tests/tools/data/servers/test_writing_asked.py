"""A change is always put to a person who sees its dry run; what is denied is not even tried."""

from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import pytest
from agents import Answering, events_of, executor, resumed, scripted, types
from data_servers import Server
from query_services import Listed

from dataagent_core.errors import NoOneToAskError
from dataagent_core.hitl import ActionRequest, AutoApproveHandler
from dataagent_core.session.stores.bundle import Stores
from dataagent_core.tools.data.data_access import DataAccess
from dataagent_core.tools.data.results import FolderResultStore

WRITE: dict[str, Any] = {
    "tool_calls": [
        {"name": "sql_write", "args": {"source": "shop", "sql": "DELETE FROM t WHERE i > 1"}}
    ]
}


@pytest.fixture
def access(postgres: Server, tmp_path: Path) -> DataAccess:
    postgres.admin("CREATE TABLE t (i INT)", "INSERT INTO t VALUES (1), (2), (3)")
    postgres.admin(f"GRANT SELECT ON t TO {postgres.user}")
    spec = postgres.spec(write_url=postgres.admin_url)
    return DataAccess(sources=Listed(spec), results=FolderResultStore(tmp_path / ".results"))


async def changed(access: DataAccess, workspace: Path, handler: Any, **config: Any) -> Any:
    model = scripted(WRITE, {"text": "done"})
    agent = executor(model, workspace, handler=handler, data=access, **config)
    try:
        events = await events_of(agent)
    finally:
        await agent.aclose()
    return next((e for e in events if e.event_type == "tool_result"), None)


def rows(server: Server) -> int:
    return server.admin("SELECT count(*) FROM t")[0][0]


async def test_a_yes_to_everything_does_not_answer_for_a_change(
    postgres: Server, access: DataAccess, tmp_path: Path
):
    person = Answering({"type": "respond", "message": "no"})
    result = await changed(access, tmp_path, person, auto_approve=True)
    (asked,) = person.asked
    assert asked["args"]["expected_rows"] == 2
    assert asked.get("always_asked")
    assert "would change 2 rows" in asked.get("reason", "")
    assert (result.status, rows(postgres)) == ("error", 3)


async def test_a_person_who_says_yes_changes_the_rows_they_saw(
    postgres: Server, access: DataAccess, tmp_path: Path
):
    result = await changed(access, tmp_path, Answering(), auto_approve=True)
    assert (result.status, rows(postgres)) == ("success", 1)


async def test_a_handler_that_approves_everything_does_not_approve_a_change(
    postgres: Server, access: DataAccess, tmp_path: Path
):
    result = await changed(access, tmp_path, AutoApproveHandler())
    assert "A person has to see this call" in result.result
    assert rows(postgres) == 3


async def test_a_change_that_is_denied_is_not_tried_and_not_asked_about(
    postgres: Server, access: DataAccess, tmp_path: Path
):
    deny_writing(tmp_path)
    # Nobody listens there: a dry run would say so.
    spec = postgres.spec(write_url="postgresql://nobody@127.0.0.1:1/shop")
    person = Answering()
    result = await changed(
        replace(access, sources=Listed(spec)), tmp_path, person, auto_approve=True
    )
    assert "is denied" in result.result
    assert (person.asked, rows(postgres)) == ([], 3)


class Nobody:
    """Leaves every question waiting."""

    async def request_approval(self, action_request: ActionRequest, session_id: str) -> NoReturn:
        raise NoOneToAskError(f"{action_request['name']} in {session_id}")

    async def notify_auto_approved(self, action_request: ActionRequest, session_id: str) -> None:
        """Hear nothing."""


@pytest.mark.parametrize("denied", [False, True])
async def test_a_change_waits_for_a_person_and_a_rule_made_meanwhile_denies_it(
    postgres: Server, access: DataAccess, tmp_path: Path, denied: bool
):
    stores = Stores.in_memory()
    model = scripted(WRITE, {"text": "done"})
    given: dict[str, Any] = {"data": access, "stores": stores, "auto_approve": True}
    alone = executor(model, tmp_path, handler=Nobody(), **given)
    waiting = await events_of(alone)
    await alone.aclose()
    assert "tool_result" not in types(waiting)
    assert "hitl_request" in types(waiting)
    if denied:
        deny_writing(tmp_path)
    person = Answering()
    agent = executor(scripted(WRITE, {"text": "done"}), tmp_path, handler=person, **given)
    events = await resumed(agent)
    await agent.aclose()
    (result,) = [e for e in events if e.event_type == "tool_result"]
    assert len(person.asked) == 1
    assert ("is denied" in result.result, rows(postgres)) == (denied, 3 if denied else 1)


def deny_writing(workspace: Path) -> None:
    (workspace / ".dataagent").mkdir()
    rule = '[[rules]]\ntool = "sql_write"\nresource = "shop"\naction = "deny"\n'
    (workspace / ".dataagent" / "permissions.toml").write_text(rule)
