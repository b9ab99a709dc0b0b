"""Totals held by the kernel where we were given a cgroup. A folder stands in for the real tree."""

from pathlib import Path

from dataagent_core.sandbox.cgroup import Cgroup, delegated_parent
from dataagent_core.sandbox.run_limits import RunLimits

GROUPS = "4:memory:/x\n0::/service/agent\n"


def test_a_group_is_used_only_with_both_controllers(tmp_path: Path):
    group = tmp_path / "service" / "agent"
    group.mkdir(parents=True)
    assert delegated_parent(GROUPS, (tmp_path,)) is None
    (group / "cgroup.subtree_control").write_text("cpu memory")
    assert delegated_parent(GROUPS, (tmp_path,)) is None
    (group / "cgroup.subtree_control").write_text("cpu memory pids")
    assert delegated_parent(GROUPS, (tmp_path,)) == group
    assert delegated_parent("4:memory:/x\n", (tmp_path,)) is None


def test_the_limits_and_the_process_are_written(tmp_path: Path):
    made = Cgroup.make(tmp_path, RunLimits(memory_bytes=1000, processes=7))
    made.add(42)
    (folder,) = tmp_path.iterdir()
    written = {file.name: file.read_text() for file in folder.iterdir()}
    assert written == {
        "memory.max": "1000",
        "memory.swap.max": "0",
        "pids.max": "8",
        "cgroup.procs": "42",
    }


def test_a_kill_for_memory_is_noticed(tmp_path: Path):
    made = Cgroup.make(tmp_path, RunLimits())
    (folder,) = tmp_path.iterdir()
    assert not made.ran_out_of_memory()
    (folder / "memory.events").write_text("low 0\noom 1\noom_kill 0\n")
    assert not made.ran_out_of_memory()
    (folder / "memory.events").write_text("low 0\noom 1\noom_kill 2\n")
    assert made.ran_out_of_memory()
