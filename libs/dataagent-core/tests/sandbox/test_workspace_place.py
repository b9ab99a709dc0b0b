"""One translator between the paths of programs and those of rules, tools and logs."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.errors import DirectoryError, ValidationError
from dataagent_core.sandbox.terminal_place import terminal_place
from dataagent_core.sandbox.workspace_place import NO_PLACE, SERVER_PLACE, Meant, WorkspacePlace

PROJECT = WorkspacePlace("/home/u/p")
NAMES = st.lists(st.sampled_from(["home", "u", "p", "workspace", "a.txt", "etc"]), max_size=6)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("a.txt", Meant("/a.txt")),
        ("/home/u/p/secrets/x", Meant("/secrets/x")),
        ("//home//u/./p/x/../secrets/x", Meant("/secrets/x")),
        ("../p/secrets/x", Meant("/secrets/x")),
        ("/home/u/p", Meant("/")),
        (".", Meant("/")),
        ("..", Meant("/home/u", outside=True)),
        ("/home/u/p2/x", Meant("/home/u/p2/x", outside=True)),
        ("/a.txt", Meant("/a.txt", outside=True)),
        ("/etc/passwd", Meant("/etc/passwd", outside=True)),
    ],
)
def test_a_programs_path_is_the_workspaces_or_the_systems(written: str, meant: Meant):
    assert PROJECT.of_program(written) == meant


def test_a_programs_path_may_begin_in_a_folder():
    assert PROJECT.of_program("x", "/src") == Meant("/src/x")
    assert PROJECT.of_program("../../../../etc/x", "/src") == Meant("/etc/x", outside=True)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("/home/u/p/a.txt", "/a.txt"),
        ("//home/u//p/./a.txt", "/a.txt"),
        ("/home/u/p", "/"),
        ("/a.txt", "/a.txt"),
        ("a.txt", "a.txt"),
        ("home/u/p/a.txt", "home/u/p/a.txt"),
        ("/home/u/p2/a.txt", "/home/u/p2/a.txt"),
        ("/skills/project/x", "/skills/project/x"),
    ],
)
def test_a_file_tools_path_may_be_the_full_one(written: str, meant: str):
    assert PROJECT.of_tool(written) == meant


def test_the_places_prefix_wins_over_folders_beside_the_workspace():
    assert WorkspacePlace("/skills/project").of_tool("/skills/project/x") == "/x"


def test_without_a_place_every_path_is_the_workspaces():
    assert NO_PLACE.of_program("/etc/passwd") == Meant("/etc/passwd")
    assert NO_PLACE.of_tool("/etc/passwd") == "/etc/passwd"


@given(NAMES, st.sampled_from([NO_PLACE, SERVER_PLACE, PROJECT]))
def test_what_is_shown_is_found_again_by_tools_and_programs(
    names: list[str], place: WorkspacePlace
):
    path = "/" + "/".join(names)
    assert place.of_tool(place.shown(path)) == path
    assert place.of_program(place.inside(path)) == Meant(path)


def test_a_path_that_leads_out_has_no_place_inside():
    with pytest.raises(ValidationError, match=r"\.\."):
        PROJECT.inside("/../etc")


@pytest.mark.parametrize("path", ["relative", "/a/../b", "/a/", "//a"])
def test_a_place_is_an_absolute_path_in_one_spelling(path: str):
    with pytest.raises(ValueError, match="shortest form"):
        WorkspacePlace(path)


@pytest.mark.parametrize("path", ["/home/u/p", "/tmp/x", "/usr/local/src/p", "/opt/app", "/home"])
def test_a_folder_is_shown_at_its_real_path(path: str):
    assert terminal_place(Path(path)).path == path


@pytest.mark.parametrize("path", ["/usr", "/tmp", "/etc/nginx", "/opt", "/dev/shm/p", "/lib"])
def test_a_folder_that_the_sandbox_has_itself_is_shown_elsewhere(path: str):
    assert terminal_place(Path(path)) == SERVER_PLACE


def test_the_whole_computer_is_no_workspace():
    with pytest.raises(DirectoryError, match="folder of a project"):
        terminal_place(Path("/"))
