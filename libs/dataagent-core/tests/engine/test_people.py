"""Two people who use one `AgentFactory`: what an agent keeps for one is never shown to the other."""

import stat
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from agents import scripted, settings
from hypothesis import assume, given
from hypothesis import strategies as st
from langchain_core.tools import tool

from dataagent_core.config import Settings
from dataagent_core.config.limits import OUTPUT_BYTES_MAX
from dataagent_core.config.paths import user_home
from dataagent_core.engine import AgentConfig, AgentFactory
from dataagent_core.errors import ValidationError
from dataagent_core.hitl import ActionRequest, Decision

_homes = count()
names = st.text("ab.-", min_size=1, max_size=3).map(lambda text: f"u{text}")
people = st.fixed_dictionaries(
    {
        "tenant_id": st.none() | names,
        "user_id": st.none() | names,
        "assistant_id": st.sampled_from(["one", "two"]),
    }
)
TALK = {"name": "talk", "args": {}}
WRITE = {"name": "write_file", "args": {"file_path": "/b", "content": "x"}}
READ = {"name": "read_file", "args": {"file_path": "/memories/agent.md"}}


@tool
async def talk() -> str:
    """Say more than fits into a conversation."""
    return "secret line\n" * OUTPUT_BYTES_MAX


class House:
    """One factory, and a person's agent whenever it is asked for."""

    def __init__(self, folder: Path, handler: Any = None) -> None:
        self.settings: Settings = settings(home=folder / "home")
        self._factory = AgentFactory(self.settings, handler)
        self._workspace = folder / "work"
        self._workspace.mkdir(parents=True)

    async def ask(self, person: dict[str, Any], *calls: dict[str, Any], **more: Any) -> Any:
        """Let a person's agent make calls; give what the model was told and the results."""
        model = scripted(*({"tool_calls": [call]} for call in calls), {"text": "ok"})
        config = AgentConfig(
            **{**person, **more},
            model=model,
            workspace_path=self._workspace,
            extra_tools=[talk],
        )
        graph, _ = self._factory.create_agent(config)
        state = await graph.ainvoke({"messages": "go"})
        results = [m.text for m in state["messages"] if m.type == "tool"]
        return model.requests[0][0].text, results

    def folder(self, person: dict[str, Any]) -> Path:
        """Name a person's folder of one assistant."""
        home = user_home(self.settings.home, person["tenant_id"], person["user_id"])
        return home / "agents" / person["assistant_id"]


def noting(text: str) -> list[dict[str, Any]]:
    write = {"file_path": "/memories/agent.md", "content": text}
    return [READ, {"name": "write_file", "args": write}]


def same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Say whether two descriptions mean one person; who names no tenant is of the local one."""

    def named(person: dict[str, Any]) -> tuple[Any, ...]:
        nobody = person["tenant_id"] is None and person["user_id"] is None
        tenant = person["tenant_id"] or (None if nobody else "local")
        return tenant, person["user_id"], person["assistant_id"]

    return named(one) == named(other)


@pytest.mark.requirement("S0-54")
@given(ada=people, bob=people)
async def test_property_54_notes_are_loaded_for_the_person_who_has_them_alone(
    tmp_path: Path, ada: dict[str, Any], bob: dict[str, Any]
) -> None:
    assume(not same(ada, bob))
    house = House(tmp_path / str(next(_homes)))
    await house.ask(ada, *noting("Ada's number is 4711."))
    told, _ = await house.ask(bob)
    assert "4711" not in told
    told, _ = await house.ask(ada)
    assert "4711" in told


ADA = {"tenant_id": "acme", "user_id": "ada", "assistant_id": "helper"}
OTHERS = [
    {**ADA, "user_id": "bob"},
    {**ADA, "tenant_id": "rival"},
    {**ADA, "tenant_id": None},
    {**ADA, "user_id": None},
    {**ADA, "assistant_id": "other"},
    {"tenant_id": None, "user_id": None, "assistant_id": "helper"},
]


@pytest.mark.parametrize("other", OTHERS, ids=str)
async def test_what_one_person_notes_overwrites_nothing_of_anothers(
    tmp_path: Path, other: dict[str, Any]
) -> None:
    house = House(tmp_path)
    await house.ask(ADA, *noting("Ada's number is 4711."))
    _, seen = await house.ask(other, *noting("The other likes tea."))
    assert "4711" not in str(seen)
    _, (mine,) = await house.ask(ADA, READ)
    assert "4711" in mine
    assert "tea" not in mine


@pytest.mark.parametrize("other", OTHERS, ids=str)
async def test_skills_and_kept_outputs_are_a_persons_own(
    tmp_path: Path, other: dict[str, Any]
) -> None:
    house = House(tmp_path)
    skill = house.folder(ADA) / "skills/counting/SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("---\nname: counting\ndescription: How Ada counts.\n---\nUse wc.\n")
    told, (shown,) = await house.ask(ADA, {"name": "talk", "args": {}})
    assert "How Ada counts." in told
    kept = next(word for word in shown.split() if word.startswith("/artifacts/")).rstrip(":")
    look = {"name": "read_file", "args": {"file_path": kept}}
    told, (mine,) = await house.ask(ADA, look)
    assert "secret line" in mine
    told, (theirs,) = await house.ask(other, look)
    assert "How Ada counts." not in told
    assert "secret line" not in theirs


async def test_rules_are_a_persons_own(tmp_path: Path) -> None:
    house = House(tmp_path)
    rules = user_home(house.settings.home, "acme", "ada") / "permissions.toml"
    rules.parent.mkdir(parents=True)
    rules.write_text('[[rules]]\ntool = "talk"\naction = "deny"\n')
    _, (refused,) = await house.ask(ADA, {"name": "talk", "args": {}})
    assert "secret line" not in refused
    _, (allowed,) = await house.ask({**ADA, "user_id": "bob"}, {"name": "talk", "args": {}})
    assert "secret line" in allowed


def rule(action: str, tool: str, resource: str = "**") -> str:
    return f'[[rules]]\naction = "{action}"\ntool = "{tool}"\nresource = "{resource}"\n'


class Approving:
    """Approves, and remembers what it was asked about."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def request_approval(self, action: ActionRequest, session_id: str) -> Decision:
        self.asked.append(action["name"])
        return {"type": "approve"}


@pytest.mark.parametrize("person", [*OTHERS[:4], {**ADA, "home": "elsewhere"}], ids=str)
async def test_the_rules_of_the_home_bind_everybody_and_allow_others_nothing(
    tmp_path: Path, person: dict[str, Any]
) -> None:
    handler = Approving()
    house = House(tmp_path, handler)
    home = house.settings.home
    own = user_home(home, person["tenant_id"], person["user_id"])
    if "home" in person:
        own = tmp_path / person["home"]
        person = {**person, "home": own}
    own.mkdir(parents=True)
    home.mkdir(exist_ok=True)
    (home / "permissions.toml").write_text(
        rule("allow", "write_file")
        + rule("deny", "talk")
        + rule("ask", "read_file")
        + rule("allow", "read_file", "/free/**")
    )
    (own / "permissions.toml").write_text(rule("allow", "talk") + rule("allow", "read_file"))
    _, (talked,) = await house.ask(person, TALK)
    assert "secret line" not in talked
    assert handler.asked == []
    free = {"name": "read_file", "args": {"file_path": "/free/a"}}
    await house.ask(person, free)
    assert handler.asked == []
    await house.ask(person, READ, WRITE)
    assert handler.asked == ["read_file", "write_file"]


async def test_the_single_person_of_a_machine_has_the_rules_of_the_home(tmp_path: Path) -> None:
    handler = Approving()
    house = House(tmp_path, handler)
    house.settings.home.mkdir()
    rules = rule("allow", "write_file") + rule("deny", "talk")
    (house.settings.home / "permissions.toml").write_text(rules)
    nobody = {"tenant_id": None, "user_id": None, "assistant_id": "helper"}
    # The terminal names its person for budgets.
    for person in (nobody, {**ADA, "home": house.settings.home}):
        _, (_, talked) = await house.ask(person, WRITE, TALK)
        assert "secret line" not in talked
        assert handler.asked == []


@pytest.mark.parametrize(
    ("tenant_id", "user_id"), [("a\0b", "c"), ("a", "b\0c"), (None, "\0")], ids=ascii
)
async def test_ids_that_could_be_read_as_another_pair_are_refused(
    tmp_path: Path, tenant_id: str | None, user_id: str
) -> None:
    with pytest.raises(ValidationError, match="NUL"):
        await House(tmp_path).ask({**ADA, "tenant_id": tenant_id, "user_id": user_id})


async def test_the_single_person_of_a_machine_keeps_the_folder_they_always_had(
    tmp_path: Path,
) -> None:
    house = House(tmp_path)
    old = house.settings.home / "agents/helper/agent.md"
    old.parent.mkdir(parents=True)
    old.write_text("Written long ago.")
    nobody = {"tenant_id": None, "user_id": None, "assistant_id": "helper"}
    told, _ = await house.ask(nobody)
    assert "Written long ago." in told
    # As the terminal does it, which names its person for budgets.
    told, _ = await house.ask(ADA, home=house.settings.home)
    assert "Written long ago." in told
    assert old.read_text() == "Written long ago."


async def test_a_persons_folder_is_for_its_owner_only(tmp_path: Path) -> None:
    house = House(tmp_path)
    await house.ask(ADA)
    assert stat.S_IMODE(house.folder(ADA).parent.parent.stat().st_mode) == 0o700
