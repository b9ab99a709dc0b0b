"""S0 property 51 on each database: whoever asks for sessions gets their own, all of them, no other.

`test_two_people.py` looks at everything a colleague could change or see, mostly on SQLite; here it is
the queries of sessions alone, whose SQL is another one on each database: as many on each of them.
"""

from dataclasses import dataclass, field
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from live_server import Caller, LiveServer

from tests.counts import examples

pytestmark = pytest.mark.every_database

WORDS: Final = ("penguin", "企鹅", "100%_")
# Two of one tenant, and one elsewhere.
PEOPLE: Final = ("ann", "bob", "eve")


@dataclass
class Person:
    """Somebody, with the titles of their sessions."""

    caller: Caller
    sessions: dict[str, str] = field(default_factory=dict[str, str])


@pytest.fixture
async def people(live: LiveServer) -> dict[str, Person]:
    here, there = [await live.tenant(name) for name in ("here", "there")]
    return {
        name: Person(await live.person(name, "member", there if name == "eve" else here))
        for name in PEOPLE
    }


async def listed(live: LiveServer, who: Caller, **query: Any) -> list[str]:
    """Follow a list of sessions to its end."""
    found: list[str] = []
    while True:
        answer = await live.http.get("/api/v1/sessions", params=query, headers=who.headers)
        assert answer.status_code == 200, answer.text
        page = answer.json()
        found += [one["session_id"] for one in page["items"]]
        if page["next"] is None:
            return found
        query["after"] = page["next"]


@pytest.mark.requirement("S0-51")
@pytest.mark.timeout(600)
@settings(max_examples=examples(100), report_multiple_bugs=False)
@given(
    made=st.lists(st.tuples(st.sampled_from(PEOPLE), st.sampled_from(WORDS)), max_size=2),
    asking=st.sampled_from(PEOPLE),
    other=st.sampled_from(PEOPLE),
    word=st.sampled_from(WORDS),
    limit=st.sampled_from([10, 50]),
)
async def test_s0_51_a_query_of_sessions_gives_all_of_ones_own_and_nobody_elses(  # noqa: PLR0917 (what is drawn)
    live: LiveServer,
    people: dict[str, Person],
    made: list[tuple[str, str]],
    asking: str,
    other: str,
    word: str,
    limit: int,
):
    for name, title in made:
        session_id = await live.session(people[name].caller, title=f"About {title}")
        people[name].sessions[session_id] = title
    who, own = people[asking].caller, people[asking].sessions
    assert sorted(await listed(live, who, limit=limit)) == sorted(own)
    found = await listed(live, who, q=word, limit=limit)
    assert sorted(found) == sorted(s for s, title in own.items() if title == word)
    if other == asking:
        return
    whose = {"user_id": people[other].caller.who.user_id}
    refused = await live.http.get("/api/v1/sessions", params=whose, headers=who.headers)
    assert refused.status_code == 403
    for session_id in list(people[other].sessions)[-1:]:
        shown = await live.http.get(f"/api/v1/sessions/{session_id}", headers=who.headers)
        assert shown.status_code == (404 if "eve" in {asking, other} else 403)
