"""Two tenants that work side by side: neither sees, counts or changes anything of the other."""

import itertools
from dataclasses import dataclass, field
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from installation import Installation

from dataagent_core.errors import DataAgentError, NotFoundError
from dataagent_server.common.pagination import PageRequest
from dataagent_server.identity.auth.principal import Principal

pytestmark = pytest.mark.every_database

Verb = Literal[
    "member", "remove", "project", "drop", "key", "revoke", "credential", "forget", "rename"
]
verbs = st.sampled_from(Verb.__args__)
steps = st.lists(st.tuples(st.booleans(), verbs, st.sampled_from(["x", "y"])), max_size=12)
_numbers = itertools.count()
_MISSING = {f"There is no {kind} ''." for kind in ("member", "user", "project", "key")}


@dataclass
class Side:
    """One tenant's owner, and the ids of what they made, by the names they gave."""

    owner: Principal
    made: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])

    async def do(self, installation: Installation, verb: Verb, name: str) -> str:
        people, made = installation.people, self.made
        try:
            match verb:
                case "member":
                    made["member", name] = (
                        await people.members.add(self.owner, name, "member")
                    ).user_id
                case "remove":
                    await people.members.remove(self.owner, made.pop(("member", name), "nobody"))
                case "project":
                    made["project", name] = (
                        await people.projects.create(self.owner, name)
                    ).project_id
                case "drop":
                    await people.projects.delete(self.owner, made.pop(("project", name), "nothing"))
                case "key":
                    made["key", name] = (await people.keys.create(self.owner, name)).key.key_id
                case "revoke":
                    await people.keys.revoke(self.owner, made.get(("key", name), "none"))
                case "credential":
                    await people.credentials.put(self.owner, "openai", key=f"key-of-{name}")
                case "forget":
                    await people.credentials.delete(self.owner, "openai")
                case _:
                    await people.tenants.change(self.owner, self.owner.tenant_id, name=name)
        except DataAgentError as error:
            return error.code
        return "done"

    async def view(self, installation: Installation) -> object:
        """Everything the owner can see, by names instead of random ids."""
        people, owner, wish = installation.people, self.owner, PageRequest()
        tenant = await people.tenants.get(owner, owner.tenant_id)
        return (
            sorted(
                str(member.username) for member in (await people.members.list(owner, wish)).items
            ),
            sorted(project.name for project in (await people.projects.list(owner, wish)).items),
            sorted(
                (key.name, key.revoked_at is None)
                for key in (await people.keys.list(owner, wish)).items
            ),
            [(one.provider, one.version) for one in await people.credentials.list(owner)],
            [str(one.key) for one in await people.credentials.credentials_for(owner.tenant_id)],
            (tenant.version, len((await people.tenants.list(owner, wish)).items)),
            await installation.database.read(lambda c: people.audit.verify(c, owner.tenant_id)),
        )

    async def probe(self, installation: Installation, other: "Side") -> None:
        """What the other made, tried by its id, answers exactly like what never was."""
        people, owner = installation.people, self.owner
        tries = {
            "member": (people.members.get, people.members.remove, people.users.get),
            "project": (people.projects.get, people.projects.delete),
            "key": (people.keys.get, people.keys.revoke),
        }
        for (kind, _), item in other.made.items():
            for asked in (item, "0" * len(item)):
                for attempt in tries[kind]:
                    with pytest.raises(NotFoundError) as refusal:
                        await attempt(owner, asked)
                    assert str(refusal.value).replace(asked, "") in _MISSING


async def side(installation: Installation) -> Side:
    tenant = await installation.tenant(f"tenant{next(_numbers)}")
    return Side(await installation.person(tenant, "boss", "owner"))


@pytest.mark.parametrize("database_kind", ["sqlite"])
@settings(max_examples=25)
@given(steps)
async def test_what_one_tenant_does_leaves_no_trace_for_the_other(
    installation: Installation, steps: list[tuple[bool, Verb, str]]
):
    ours, theirs, alone = [await side(installation) for _ in range(3)]
    for mine, verb, name in steps:
        if not mine:
            await theirs.do(installation, verb, name)
            continue
        assert await ours.do(installation, verb, name) == await alone.do(installation, verb, name)
    seen, expected = await ours.view(installation), await alone.view(installation)
    assert seen == expected
    await ours.probe(installation, theirs)
    assert await ours.view(installation) == seen


async def test_nothing_of_another_tenant_is_there_on_any_database(installation: Installation):
    ours, theirs = await side(installation), await side(installation)
    for verb in ("member", "project", "key", "credential"):
        await theirs.do(installation, verb, "x")
    before = await theirs.view(installation)
    await ours.probe(installation, theirs)
    assert await ours.view(installation) == (["boss"], [], [], [], [], (1, 1), None)
    assert await theirs.view(installation) == before
