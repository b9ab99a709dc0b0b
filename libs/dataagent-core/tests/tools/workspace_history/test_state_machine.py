"""Whatever an agent and a person do, in whatever order: nothing of the person's is ever lost."""

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from workspaces_past import Past, State

PATHS = ("a", "b", "d", "d/x", "d/y", "e/f/g")
paths = st.sampled_from(PATHS)
modes = st.sampled_from((0o600, 0o644, 0o755))


@dataclass
class Said:
    """A message, the workspace before it, and what a person touched since."""

    message_id: str
    before: State
    by_person: set[str] = field(default_factory=set[str])
    by_agent: set[str] = field(default_factory=set[str])


class Workspace(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.past = Past(self.folder)
        self.outside = self.folder / "outside"
        self.outside.write_text("outside")
        self.said: list[Said] = []
        self.written = 0
        self.says()

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    @rule()
    def says(self) -> None:
        before = self.past.state()
        self.said.append(Said(self.past.says(), before))
        self.is_running = True

    @precondition(lambda self: self.is_running)
    @rule(path=paths, mode=modes)
    def agent_writes(self, path: str, mode: int) -> None:
        self._as_agent(lambda: self._write(path, "agent", mode))

    @precondition(lambda self: self.is_running)
    @rule(path=paths, other=paths)
    def agent_does_two_things(self, path: str, other: str) -> None:
        self._as_agent(lambda: self._write(path, "agent", 0o644) | self._clear(other))

    @precondition(lambda self: self.is_running)
    @rule(path=paths)
    def agent_links_outside(self, path: str) -> None:
        self._as_agent(lambda: self._link(path))

    @precondition(lambda self: self.is_running)
    @rule(path=paths)
    def agent_removes(self, path: str) -> None:
        self._as_agent(lambda: self._clear(path))

    @rule(path=paths, mode=modes)
    def person_writes(self, path: str, mode: int) -> None:
        self._by_person(self._write(path, "person", mode))

    @rule(path=paths)
    def person_removes(self, path: str) -> None:
        self._by_person(self._clear(path))

    @rule(path=paths)
    def person_links_outside(self, path: str) -> None:
        self._by_person(self._link(path))

    @precondition(lambda self: self.said)
    @rule(data=st.data())
    def rewinds(self, data: st.DataObject) -> None:
        position = data.draw(st.integers(0, len(self.said) - 1))
        said, present = self.said[position], self.past.state()
        done = self.past.rewinds(said.message_id)
        after = self.past.state()
        touched = said.by_person
        for path in PATHS:
            if path not in said.by_agent or _is_persons(present.get(path)):
                assert after.get(path) == present.get(path), path
            elif path not in touched and not any(_in_the_way(path, other) for other in touched):
                assert after.get(path) == said.before.get(path), (path, done)
        again = self.past.rewinds(said.message_id)
        assert (again.restored, again.removed) == ((), ())
        assert self.past.state() == after
        del self.said[position:]
        self.is_running = False

    @invariant()
    def nothing_outside_changes(self) -> None:
        assert self.outside.read_text() == "outside"
        assert sorted(p.name for p in self.folder.iterdir()) == sorted(
            {"workspace", "outside"} | ({"home"} if (self.folder / "home").exists() else set())
        )

    def _as_agent(self, act: Callable[[], set[str]]) -> None:
        touched: set[str] = set()
        self.past.agent(lambda: touched.update(act()))
        for said in self.said:
            said.by_agent |= touched

    def _by_person(self, touched: set[str]) -> None:
        for said in self.said:
            said.by_person |= touched

    def _write(self, path: str, author: str, mode: int) -> set[str]:
        touched = self._clear(path)
        self.written += 1
        target = self.past.workspace / path
        target.write_text(f"{author} {self.written}")
        target.chmod(mode)
        return touched

    def _link(self, path: str) -> set[str]:
        touched = self._clear(path)
        (self.past.workspace / path).symlink_to(self.outside)
        return touched

    def _clear(self, path: str) -> set[str]:
        """Make room for a path, and say which paths that touches."""
        touched = {other for other in PATHS if other == path or _in_the_way(path, other)}
        target = self.past.workspace / path
        for parent in reversed(target.relative_to(self.past.workspace).parents):
            place = self.past.workspace / parent
            if place.is_symlink() or place.is_file():
                place.unlink()
        if target.is_dir() and not target.is_symlink():
            shutil.rmtree(target)
        elif target.is_symlink() or target.exists():
            target.unlink()
        target.parent.mkdir(parents=True, exist_ok=True)
        return touched


def _in_the_way(path: str, other: str) -> bool:
    return path.startswith(f"{other}/") or other.startswith(f"{path}/")


def _is_persons(held: tuple[bytes, int] | None) -> bool:
    return held is not None and held[0].startswith(b"person")


@pytest.mark.requirement("F8-5-rewind")
def test_a_rewind_gives_the_earlier_state_and_loses_nothing_of_a_persons():
    run_state_machine_as_test(
        Workspace,
        settings=settings(
            max_examples=25,
            stateful_step_count=20,
            deadline=None,
            # A workspace is made for each example; looking for a smaller one takes minutes.
            phases=[Phase.explicit, Phase.reuse, Phase.generate],
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        ),
    )
