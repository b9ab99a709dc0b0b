"""What a command sees of files: its workspace at its place, and nothing of the host's."""

import os
from pathlib import Path

import pytest
from sandboxes import leftovers, names_in, python, text

from dataagent_core.errors import DirectoryError, ValidationError
from dataagent_core.sandbox.bubblewrap import sandbox_base
from dataagent_core.sandbox.bubblewrap.bwrap_sandbox import BwrapSandbox
from dataagent_core.sandbox.paths.workspace_location import locate_terminal_workspace


@pytest.mark.requirement("F3-1")
async def test_the_workspace_is_at_its_place_and_commands_start_there(
    sandbox: BwrapSandbox, workspace: Path
):
    (workspace / "a.txt").write_text("hello")
    done = await sandbox.run("pwd; cat /workspace/a.txt a.txt; echo 1 > made; echo 2 > $PWD/too")
    assert text(done) == "/workspace\nhellohello"
    assert names_in(workspace) == ["a.txt", "made", "too"]


async def test_an_absolute_path_from_the_root_is_the_systems(
    sandbox: BwrapSandbox, workspace: Path
):
    (workspace / "a.txt").write_text("hello")
    done = await sandbox.run("cat /a.txt; echo x > /new; mkdir /folder; ls -A .")
    assert "No such file" in text(done)
    assert text(done).count("Read-only file system") == 2
    assert done.stdout.data == b"a.txt\n"


@pytest.mark.parametrize("name", ["bin", "lib", "tmp", "usr", "workspace", "proc"])
async def test_a_workspace_may_have_any_name_of_the_base(
    sandbox: BwrapSandbox, workspace: Path, name: str
):
    (workspace / name).mkdir()
    (workspace / name / "mine").write_text("mine")
    done = await sandbox.run(f"cat {name}/mine && echo new > {name}/new && cat {name}/new")
    assert text(done) == "minenew\n"
    assert done.notes == ()


async def test_files_can_be_replaced_renamed_and_removed(sandbox: BwrapSandbox, workspace: Path):
    (workspace / "a").write_text("old")
    (workspace / "b").write_text("b")
    done = await sandbox.run("sed -i s/old/new/ a && mv a c && rm b && mkdir x && mv x y")
    assert (done.exit_code, text(done)) == (0, "")
    assert names_in(workspace) == ["c", "y"]
    assert (workspace / "c").read_text() == "new"


async def test_a_folder_below_tmp_is_at_its_real_path_beside_a_tmp_of_its_own(tmp_path: Path):
    folder = tmp_path / "project"
    folder.mkdir()
    (tmp_path / "secret.txt").write_text("SECRET")
    (folder / "a.txt").write_text("hello")
    sandbox = await BwrapSandbox.open(folder, place=locate_terminal_workspace(folder))
    try:
        done = await sandbox.run(f"pwd; cat {folder}/a.txt; ls {tmp_path}; touch /tmp/own b.txt")
    finally:
        await sandbox.aclose()
    assert text(done) == f"{folder}\nhelloproject\n"
    assert (folder / "b.txt").exists()
    assert not Path("/tmp/own").exists()


async def test_the_system_is_not_among_the_files_of_a_project(
    sandbox: BwrapSandbox, workspace: Path
):
    (workspace / "a.txt").write_text("x")
    assert text(await sandbox.run("find . -type f")) == "./a.txt\n"


@pytest.mark.parametrize("memory", ["in memory", "nowhere"])
async def test_system_files_are_shown_with_and_without_a_file_system_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, memory: str
):
    place = tmp_path / memory
    if memory == "in memory":
        place.mkdir()
    monkeypatch.setattr(sandbox_base, "_MEMORY", place)
    sandbox = await BwrapSandbox.open(tmp_path)
    assert len([*tmp_path.glob("in memory/*/etc/passwd")]) == (memory == "in memory")
    try:
        done = await sandbox.run("cat /etc/passwd; ls /etc/alternatives | wc -l; echo x > /etc/new")
    finally:
        await sandbox.aclose()
    user, links, refused = text(done).splitlines()
    assert user.startswith("agent:x:")
    assert int(links) == len(names_in(Path("/etc/alternatives")))
    assert "Read-only file system" in refused


async def test_a_run_leaves_nothing_in_the_workspace_and_nothing_beside_it(
    workspace: Path, tmp_path: Path
):
    sandbox = await BwrapSandbox.open(workspace, scratch=tmp_path)
    await sandbox.run("ls /usr > /dev/null; touch /tmp/x /dev/shm/y")
    assert names_in(workspace) == []
    await sandbox.aclose()
    assert leftovers(tmp_path) == []


async def test_the_base_cannot_be_written(sandbox: BwrapSandbox, workspace: Path):
    done = await sandbox.run(
        "touch /usr/x /etc/x /bin/x /dev/x /lib/x; rm -f /usr/bin/env /etc/passwd; rmdir /usr; echo done"
    )
    assert "done" in text(done)
    assert Path("/usr/bin/env").exists()
    assert names_in(workspace) == []


async def test_host_files_are_not_there(sandbox: BwrapSandbox, tmp_path: Path):
    done = await sandbox.run(
        f"cat {tmp_path}/secret.txt; ls /root /home /var /run /opt /etc/shadow /boot"
    )
    assert "SECRET" not in text(done)
    assert text(done).count("No such file") == 8


async def test_parent_paths_lead_to_the_sandboxs_own_root(sandbox: BwrapSandbox):
    done = await sandbox.run("cat ../secret.txt ../../secret.txt ../../../../etc/shadow; ls -A ..")
    assert "SECRET" not in text(done)
    assert b"workspace" in done.stdout.data.split()


async def test_a_link_out_leads_nowhere(sandbox: BwrapSandbox, workspace: Path, tmp_path: Path):
    (workspace / "out").symlink_to(tmp_path / "secret.txt")
    assert (workspace / "out").read_text() == "SECRET"
    done = await sandbox.run(f"cat out; ln -s {tmp_path}/secret.txt own; cat own")
    assert "SECRET" not in text(done)


async def test_a_hard_link_to_a_file_of_the_base_is_refused(sandbox: BwrapSandbox, workspace: Path):
    done = await sandbox.run("ln /etc/passwd stolen; ln /usr/bin/env stolen2; touch a; ln a b")
    assert names_in(workspace) == ["a", "b"]
    assert "cross-device" in text(done).lower()


async def test_devices_of_the_host_are_not_there_and_cannot_be_made(sandbox: BwrapSandbox):
    done = await sandbox.run("ls /dev; mknod disk b 254 0; mknod mem c 1 1; ls -l")
    listed = set(text(done).split())
    assert "null" in listed
    assert not listed & {"vda", "sda", "mem", "kmsg", "kvm", "fuse", "vsock"}
    assert "brw" not in text(done)
    assert text(done).count("Operation not permitted") == 2


async def test_a_fifo_without_a_writer_ends_with_the_time_out(sandbox: BwrapSandbox):
    done = await sandbox.run("mkfifo f; cat f", timeout_s=0.3)
    assert done.timed_out


async def test_proc_shows_only_the_commands_own_processes(sandbox: BwrapSandbox):
    done = await sandbox.run(f"ls -d /proc/[0-9]*; ls /proc/{os.getpid()}; readlink /proc/1/root")
    numbers = [int(word[6:]) for word in text(done).split() if word.startswith("/proc/")]
    assert 1 in numbers
    assert max(numbers) < 20


@pytest.mark.requirement("F3-escapes")
async def test_only_three_descriptors_are_open_and_none_leads_out(sandbox: BwrapSandbox):
    done = await python(sandbox, "import os; print(sorted(map(int, os.listdir('/proc/self/fd'))))")
    # 3 is the listing itself.
    assert text(done).strip() == "[0, 1, 2, 3]"
    first = await python(sandbox, "import os; print(sorted(map(int, os.listdir('/proc/1/fd'))))")
    assert text(first).strip() == "[0, 1, 2]"


async def test_a_descriptor_handed_on_would_be_seen(sandbox: BwrapSandbox):
    code = "import os; os.dup2(1, 9); print(os.path.exists('/proc/self/fd/9'))"
    assert text(await python(sandbox, code)).strip() == "True"


async def test_standard_input_can_be_read_and_not_written(sandbox: BwrapSandbox):
    done = await sandbox.run("cat; echo x > /proc/self/fd/0", stdin=b"given\n")
    assert text(done).startswith("given\n")
    assert done.exit_code != 0


async def test_the_environment_is_small_and_holds_only_what_was_given(
    sandbox: BwrapSandbox, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("HOST_SECRET", "hush")
    done = await sandbox.run("env; cat /proc/*/environ", env={"GIVEN": "yes"})
    assert "hush" not in text(done)
    assert "GIVEN=yes" in text(done)


async def test_the_working_directory_is_a_folder_of_the_workspace(
    sandbox: BwrapSandbox, workspace: Path
):
    (workspace / "src").mkdir()
    assert text(await sandbox.run("pwd", cwd="/src")).strip() == "/workspace/src"
    with pytest.raises(ValidationError, match=r"\.\."):
        await sandbox.run("pwd", cwd="/../etc")


async def test_a_workspace_that_is_not_there_is_named(tmp_path: Path):
    with pytest.raises(DirectoryError, match="nowhere"):
        await BwrapSandbox.open(tmp_path / "nowhere")
