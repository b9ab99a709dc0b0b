"""What a command sees of files: its workspace under two spellings, and nothing of the host's."""

import os
from pathlib import Path

import pytest
from sandboxes import leftovers, names_in, python, text

from dataagent_core.errors import DirectoryError, ValidationError
from dataagent_core.sandbox.bwrap import BwrapSandbox
from dataagent_core.sandbox.bwrap_layout import Layout, choose_layout


async def test_both_spellings_name_the_same_file(sandbox: BwrapSandbox, workspace: Path):
    (workspace / "a.txt").write_text("hello")
    assert text(await sandbox.run("cat /a.txt a.txt")) == "hellohello"


@pytest.mark.requirement("F3-1")
async def test_a_top_level_file_made_under_one_spelling_is_there_under_the_other(
    sandbox: BwrapSandbox, workspace: Path
):
    done = await sandbox.run(
        "echo 1 > /abs; echo 2 > rel; mkdir /d; echo 3 > d/x; cat abs /rel /d/x"
    )
    assert text(done).split() == ["1", "2", "3"]
    assert (workspace / "abs").read_text() == "1\n"
    assert (workspace / "rel").read_text() == "2\n"


async def test_a_top_level_file_can_be_replaced_renamed_and_removed(
    sandbox: BwrapSandbox, workspace: Path
):
    (workspace / "a").write_text("old")
    (workspace / "b").write_text("b")
    done = await sandbox.run("sed -i s/old/new/ /a && mv /a /c && rm b && mkdir x && mv x y")
    assert (done.exit_code, text(done)) == (0, "")
    assert names_in(workspace) == ["c", "y"]
    assert (workspace / "c").read_text() == "new"


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


@pytest.mark.parametrize("name", ["bin", "lib", "tmp", "usr", "workspace"])
async def test_a_workspace_with_a_name_of_the_base_keeps_it_under_the_relative_spelling(
    sandbox: BwrapSandbox, workspace: Path, name: str
):
    (workspace / name).mkdir()
    (workspace / name / "mine").write_text("mine")
    (workspace / "a.txt").write_text("a")
    done = await sandbox.run(f"cat {name}/mine /a.txt && echo new > new && cat new")
    assert text(done) == "minea" + "new\n"
    assert any(f"'{name}'" in note for note in done.notes) or name == "workspace"


async def test_where_names_are_links_a_new_absolute_name_is_refused_and_not_lost(
    sandbox: BwrapSandbox, workspace: Path
):
    (workspace / "bin").mkdir()
    done = await sandbox.run("echo x > /new")
    assert done.exit_code != 0
    assert "Read-only file system" in text(done)


def test_an_overlay_is_chosen_only_without_a_clash_of_names():
    taken = frozenset({"bin", "tmp"})
    assert choose_layout(["a"], taken, overlay_possible=True) == Layout("overlay", "/")
    links = choose_layout(["a", "bin"], taken, overlay_possible=True)
    assert (links.kind, links.linked, links.hidden) == ("links", ("a",), ("bin",))
    assert choose_layout(["a"], taken, overlay_possible=False).kind == "links"


async def test_host_files_are_not_there(sandbox: BwrapSandbox, tmp_path: Path):
    done = await sandbox.run(
        f"cat {tmp_path}/secret.txt; ls /root /home /var /run /opt /etc/shadow /boot"
    )
    assert "SECRET" not in text(done)
    assert text(done).count("No such file") == 8


async def test_parent_paths_end_at_the_workspace(sandbox: BwrapSandbox, workspace: Path):
    (workspace / "mine").write_text("mine")
    done = await sandbox.run(
        "cat ../secret.txt ../../secret.txt ../../../../../../etc/shadow; cat ../mine"
    )
    assert "SECRET" not in text(done)
    assert done.stdout.data == b"mine"


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
    assert text(await sandbox.run("pwd", cwd="/src")).strip() == "/src"
    with pytest.raises(ValidationError, match=r"\.\."):
        await sandbox.run("pwd", cwd="/../etc")


async def test_a_workspace_that_is_not_there_is_named(tmp_path: Path):
    with pytest.raises(DirectoryError, match="nowhere"):
        await BwrapSandbox.open(tmp_path / "nowhere")
