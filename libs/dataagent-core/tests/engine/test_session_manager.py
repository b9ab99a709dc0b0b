"""`SessionManager` with real agents, as S1 documents it."""

from pathlib import Path

from agents import events_of, scripted, settings, types

from dataagent_core.engine import AgentConfig, AgentExecutor, AgentFactory
from dataagent_core.hitl import HITLHandler
from dataagent_core.session import SessionManager
from dataagent_core.session.stores.bundle import Stores


async def test_a_manager_gives_each_session_an_agent_that_knows_what_was_said(tmp_path: Path):
    stores = Stores.in_memory()
    factory = AgentFactory(settings(), stores=stores)
    manager: SessionManager[AgentConfig, HITLHandler, AgentExecutor] = SessionManager(
        stores.sessions, factory
    )
    config = AgentConfig(
        assistant_id="helper", model=scripted({"text": "hello"}), workspace_path=tmp_path
    )
    session = await manager.get_or_create_session("ada", "helper")
    for _ in range(2):
        found = await manager.get_or_create_session("ada", "helper", session.session_id)
        executor = await manager.get_executor(found, config)
        assert types(await events_of(executor, "hi", found.session_id))[-1] == "done"
    said = await stores.messages.get_messages(session.session_id)
    assert [message.role for message in said] == ["user", "assistant"] * 2
    assert manager.active_sessions() == [session.session_id]
    await manager.aclose()
    assert manager.active_sessions() == []
