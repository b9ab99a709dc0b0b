"""One translator between the paths of programs and those of rules, tools and logs."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.errors import DirectoryError, ValidationError
from dataagent_core.sandbox.paths.workspace_location import (
    ROOT_LOCATION,
    SERVER_LOCATION,
    ProgramPath,
    WorkspaceLocation,
    locate_terminal_workspace,
)

PROJECT = WorkspaceLocation("/home/u/p")
NAMES = st.lists(st.sampled_from(["home", "u", "p", "workspace", "a.txt", "etc"]), max_size=6)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("a.txt", ProgramPath("/a.txt")),
        ("/home/u/p/secrets/x", ProgramPath("/secrets/x")),
        ("//home//u/./p/x/../secrets/x", ProgramPath("/secrets/x")),
        ("../p/secrets/x", ProgramPath("/secrets/x")),
        ("/home/u/p", ProgramPath("/")),
        (".", ProgramPath("/")),
        ("..", ProgramPath("/home/u", outside=True)),
        ("/home/u/p2/x", ProgramPath("/home/u/p2/x", outside=True)),
        ("/a.txt", ProgramPath("/a.txt", outside=True)),
        ("/etc/passwd", ProgramPath("/etc/passwd", outside=True)),
    ],
)
def test_a_programs_path_is_the_workspaces_or_the_systems(written: str, meant: ProgramPath):
    assert PROJECT.from_program(written) == meant


def test_a_programs_path_may_begin_in_a_folder():
    assert PROJECT.from_program("x", "/src") == ProgramPath("/src/x")
    assert PROJECT.from_program("../../../../etc/x", "/src") == ProgramPath("/etc/x", outside=True)


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
    assert PROJECT.from_tool(written) == meant


def test_the_places_prefix_wins_over_folders_beside_the_workspace():
    assert WorkspaceLocation("/skills/project").from_tool("/skills/project/x") == "/x"


def test_without_a_place_every_path_is_the_workspaces():
    assert ROOT_LOCATION.from_program("/etc/passwd") == ProgramPath("/etc/passwd")
    assert ROOT_LOCATION.from_tool("/etc/passwd") == "/etc/passwd"


@given(NAMES, st.sampled_from([ROOT_LOCATION, SERVER_LOCATION, PROJECT]))
def test_what_is_shown_is_found_again_by_tools_and_programs(
    names: list[str], place: WorkspaceLocation
):
    path = "/" + "/".join(names)
    assert place.from_tool(place.shown(path)) == path
    assert place.from_program(place.inside(path)) == ProgramPath(path)


def test_a_path_that_leads_out_has_no_place_inside():
    with pytest.raises(ValidationError, match=r"\.\."):
        PROJECT.inside("/../etc")


@pytest.mark.parametrize("path", ["relative", "/a/../b", "/a/", "//a"])
def test_a_place_is_an_absolute_path_in_one_spelling(path: str):
    with pytest.raises(ValueError, match="shortest form"):
        WorkspaceLocation(path)


@pytest.mark.parametrize("path", ["/home/u/p", "/tmp/x", "/usr/local/src/p", "/opt/app", "/home"])
def test_a_folder_is_shown_at_its_real_path(path: str):
    assert locate_terminal_workspace(Path(path)).path == path


@pytest.mark.parametrize("path", ["/usr", "/tmp", "/etc/nginx", "/opt", "/dev/shm/p", "/lib"])
def test_a_folder_that_the_sandbox_has_itself_is_shown_elsewhere(path: str):
    assert locate_terminal_workspace(Path(path)) == SERVER_LOCATION


def test_the_whole_computer_is_no_workspace():
    with pytest.raises(DirectoryError, match="folder of a project"):
        locate_terminal_workspace(Path("/"))
