"""S1's `ShellMiddleware`: the sandboxed shell for an agent somebody builds with LangChain alone."""

from pathlib import Path

from langchain.agents import create_agent
from langchain_core.messages import HumanMessage, ToolMessage

from dataagent_core.middleware import ShellMiddleware
from dataagent_core.models import Script, ScriptedChatModel, Step
from dataagent_core.models.scripted.script import ScriptedToolCall


async def test_an_agent_of_ones_own_runs_a_command_in_the_workspace(tmp_path: Path):
    (tmp_path / "a.txt").write_text("from the workspace\n")
    command = {"command": "cat a.txt; echo $GREETING"}
    script = Script.of(
        Step(tool_calls=(ScriptedToolCall(name="shell", args=command),)), Step(text="done")
    )
    shell = ShellMiddleware(workspace_root=str(tmp_path), env={"GREETING": "hello"})
    agent = create_agent(ScriptedChatModel(script=script), middleware=[shell])
    try:
        answer = await agent.ainvoke({"messages": [HumanMessage("read it")]})
    finally:
        await shell.aclose()
    (result,) = [one for one in answer["messages"] if isinstance(one, ToolMessage)]
    assert result.text == "from the workspace\nhello\n(exit code 0)"
