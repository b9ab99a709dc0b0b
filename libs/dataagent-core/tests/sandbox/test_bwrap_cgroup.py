"""Totals held by the kernel where we were given a cgroup. A folder stands in for the real tree."""

from pathlib import Path

from dataagent_core.sandbox.limits.cgroup import Cgroup, find_delegated_group
from dataagent_core.sandbox.limits.command_limits import CommandLimits

GROUPS = "4:memory:/x\n0::/service/agent\n"


def test_a_group_is_used_only_with_both_controllers(tmp_path: Path):
    group = tmp_path / "service" / "agent"
    group.mkdir(parents=True)
    assert find_delegated_group(GROUPS, (tmp_path,)) is None
    (group / "cgroup.subtree_control").write_text("cpu memory")
    assert find_delegated_group(GROUPS, (tmp_path,)) is None
    (group / "cgroup.subtree_control").write_text("cpu memory pids")
    assert find_delegated_group(GROUPS, (tmp_path,)) == group
    assert find_delegated_group("4:memory:/x\n", (tmp_path,)) is None


def test_version_1_counts_processes_and_nothing_else_by_itself(tmp_path: Path):
    group = tmp_path / "pids" / "agent"
    group.mkdir(parents=True)
    groups = "8:pids:/agent\n4:memory:/x\n0::/\n"
    assert find_delegated_group(groups, (tmp_path,)) is None
    (group / "cgroup.procs").touch()
    assert find_delegated_group(groups, (tmp_path,)) == group
    Cgroup.make(group, CommandLimits(processes=7), (tmp_path,))
    (folder,) = [entry for entry in group.iterdir() if entry.is_dir()]
    assert {file.name: file.read_text() for file in folder.iterdir()} == {"pids.max": "8"}


def test_the_limits_and_the_process_are_written(tmp_path: Path):
    (tmp_path / "cgroup.subtree_control").write_text("memory pids")
    made = Cgroup.make(tmp_path, CommandLimits(memory_bytes=1000, processes=7))
    made.add(42)
    (folder,) = [entry for entry in tmp_path.iterdir() if entry.is_dir()]
    written = {file.name: file.read_text() for file in folder.iterdir()}
    assert written == {
        "memory.max": "1000",
        "memory.swap.max": "0",
        "pids.max": "8",
        "cgroup.procs": "42",
    }


def test_a_kill_for_memory_is_noticed(tmp_path: Path):
    made = Cgroup.make(tmp_path, CommandLimits())
    (folder,) = tmp_path.iterdir()
    assert not made.ran_out_of_memory()
    (folder / "memory.events").write_text("low 0\noom 1\noom_kill 0\n")
    assert not made.ran_out_of_memory()
    (folder / "memory.events").write_text("low 0\noom 1\noom_kill 2\n")
    assert made.ran_out_of_memory()


def test_version_1_holds_memory_in_a_group_that_the_operator_made(tmp_path: Path):
    group, given = tmp_path / "pids" / "agent", tmp_path / "memory" / "dataagent"
    group.mkdir(parents=True)
    given.mkdir(parents=True)
    (given / "memory.limit_in_bytes").touch()
    made = Cgroup.make(group, CommandLimits(memory_bytes=1000, processes=7), (tmp_path,))
    made.add(42)
    (folder,) = [entry for entry in given.iterdir() if entry.is_dir()]
    assert {file.name: file.read_text() for file in folder.iterdir()} == {
        "memory.limit_in_bytes": "1000",
        "memory.memsw.limit_in_bytes": "1000",
        "cgroup.procs": "42",
    }
    (counted,) = group.iterdir()
    assert (counted / "cgroup.procs").read_text() == "42"
    assert not made.ran_out_of_memory()
    (folder / "memory.oom_control").write_text("oom_kill_disable 0\nunder_oom 0\noom_kill 1\n")
    assert made.ran_out_of_memory()
    for file in (*folder.iterdir(), *counted.iterdir()):
        file.unlink()  # in the real tree they go with the folder
    made.remove()
    assert [entry.name for entry in given.iterdir()] == ["memory.limit_in_bytes"]
    assert list(group.iterdir()) == []
