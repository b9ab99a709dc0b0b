"""What a rule denies to read cannot be opened by any program, however it finds the file."""

import os
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judging import person
from repositories import git, repository
from sandboxes import PYTHON, text

from dataagent_core.config.limits import DENIED_MASKS_MAX
from dataagent_core.errors import DeniedError
from dataagent_core.permissions.denied.denied_files import DeniedReads, find_denied
from dataagent_core.permissions.patterns import PatternMatch, fits_path
from dataagent_core.permissions.rules import RuleSet
from dataagent_core.sandbox.bubblewrap.bwrap_sandbox import BwrapSandbox
from dataagent_core.sandbox.bubblewrap.shown_folders import ShownFolder
from dataagent_core.sandbox.paths.path_masks import find_no_masks

BOTH = person("deny read /secrets/**", "deny read **/.env")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = repository(
        tmp_path_factory.mktemp("denied") / "p",
        **{"a.txt": "plain\n", "secrets_key": "SECRET\n", "secrets_deep_key": "SECRET\n"},
    )
    (folder / "src").mkdir()
    (folder / "src" / ".env").write_text("SECRET\n")
    (folder / "names").write_text("secrets/key\n")
    return folder


@pytest.fixture
def project(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "p"))


@pytest.fixture
async def sandbox(project: Path) -> AsyncIterator[BwrapSandbox]:
    opened = await BwrapSandbox.open(project, scratch=project.parent, find_masks=find_denied(BOTH))
    yield opened
    await opened.aclose()


def found(project: Path, rules: RuleSet, place: str = "/") -> list[str]:
    descriptor = os.open(project, os.O_PATH | os.O_DIRECTORY)
    try:
        masks = find_denied(rules, place)(descriptor)
    finally:
        os.close(descriptor)
    return sorted(mask.path + ("/" if mask.is_folder else "") for mask in masks)


@pytest.mark.parametrize("way", ["run", "look"])
@pytest.mark.parametrize(
    "command",
    [
        "cat secrets/key src/.env",
        "grep -r --include='k*' . ; grep -rI SECRET",
        "git grep SECRET; git grep --no-index SECRET",
        "xargs -a names cat",
        "file -f names; date -f secrets/key",
        "awk 'BEGIN { ARGV[1] = \"secrets/key\"; ARGC = 2 } { print }'",
        "cat /proc/self/root/workspace/secrets/key /proc/self/cwd/src/.env",
        "cd secrets; cat key; cat deep/*",
        "python3 -c 'print(open(\"src/.env\").read())'",
        "chmod -R 777 secrets src; cat secrets/key src/.env",
        "mv secrets shown; cat shown/key; cp -r src shown2; cat shown2/.env",
        "ln secrets/key hard; ln src/.env hard2; cat hard hard2; rm -f hard hard2",
        "tar cf - . 2>/dev/null | strings | grep SECRET",
    ],
)
async def test_no_way_of_naming_it_opens_it(sandbox: BwrapSandbox, command: str, way: str):
    if way == "run":
        done = await sandbox.run(command)
    else:
        done = (await sandbox.look(command, timeout_s=20, env={})).done
    assert "SECRET" not in text(done)


async def test_the_rest_is_there_and_git_does_not_take_it_for_a_change(
    sandbox: BwrapSandbox, project: Path
):
    assert text(await sandbox.run("cat a.txt")) == "plain\n"
    await sandbox.run("git add -A; git commit -qam x")
    assert git(project, "ls-tree", "-r", "--name-only", "HEAD").split()[-2:] == [
        "secrets/deep/key",
        "secrets/key",
    ]
    assert (project / "secrets" / "key").read_text() == "SECRET\n"


async def test_what_was_committed_can_be_read_from_the_history(sandbox: BwrapSandbox):
    # As docs/permissions.md says: a rule covers files, not what git keeps of them.
    assert text(await sandbox.run("git show HEAD:secrets/key")) == "SECRET\n"
    assert "+SECRET" in text(await sandbox.run("git log -p"))
    assert "secrets/key:SECRET" in text(await sandbox.run("git grep --cached SECRET"))


def test_folders_are_covered_whole_and_files_one_by_one(project: Path):
    assert found(project, BOTH) == ["/secrets/", "/src/.env"]
    assert found(project, person("deny read /nowhere/**")) == []
    assert find_denied(person("ask read /secrets/**", "allow read **")) is find_no_masks


def test_what_is_allowed_again_is_not_covered(project: Path):
    rules = person("deny read /secrets/**", "allow read /secrets/deep/**")
    assert found(project, rules) == ["/secrets/key"]


@pytest.mark.parametrize("rule", ["**", "*", "/**"])
def test_everything_can_be_denied(project: Path, rule: str):
    top = {"/a.txt", "/secrets/", "/src/", "/names", "/.git/"}
    assert top <= set(found(project, person(f"deny read {rule}")))


WORDS = st.sampled_from(["a", "b", ".env", "x.pem", "*", "**", "?", "*.pem", "/", "/", ".", r"\*"])


@given(st.lists(WORDS, min_size=1, max_size=7), st.lists(st.sampled_from("ab"), max_size=3), WORDS)
def test_what_is_quickly_compared_decides_as_the_whole_pattern_does(
    pattern: list[str], folders: list[str], name: str
):
    rule, path = "".join(pattern), "/" + "/".join([*folders, name.strip("/") or "a"])
    denied = DeniedReads(person(f"deny read {rule}"))
    assert denied.holds(path) == (fits_path(rule, path) is PatternMatch.YES)


def test_a_link_that_leads_out_is_not_followed(tmp_path: Path):
    (tmp_path / "secrets").symlink_to("/etc")
    (tmp_path / "way").symlink_to(".")
    assert found(tmp_path, BOTH) == []


def test_what_a_denied_link_leads_to_is_covered(tmp_path: Path):
    (tmp_path / "vault").mkdir()
    (tmp_path / "secrets").symlink_to("vault")
    assert found(tmp_path, BOTH) == ["/vault/"]


@pytest.mark.parametrize("rule", ["/secrets/**", "/secrets/key", "**/key"])
def test_another_name_of_a_denied_file_is_covered(project: Path, rule: str):
    (project / "src" / "plain").hardlink_to(project / "secrets" / "key")
    (project / "src" / "two").hardlink_to(project / "a.txt")
    covered = found(project, person(f"deny read {rule}"))
    assert "/src/plain" in covered
    assert "/src/two" not in covered


@pytest.mark.parametrize(
    ("rule", "covered"),
    [
        ("/.git/*", ["/.git/HEAD", "/.git/config", "/.git/objects/"]),
        ("/.git/**", ["/.git/"]),
        ("**/.git/config", ["/.git/config"]),
    ],
)
def test_the_folder_of_git_is_looked_into(project: Path, rule: str, covered: list[str]):
    assert set(covered) <= set(found(project, person(f"deny read {rule}")))
    excepted = person(f"deny read {rule}", "allow read /.git/hooks/**")
    assert "/.git/config" in found(project, excepted)


def test_an_exception_elsewhere_leaves_a_folder_covered_as_a_whole(project: Path):
    assert found(project, person("deny read /.git/**", "allow read /src/**")) == ["/.git/"]
    floating = found(project, person("deny read /.git/**", "allow read **/config"))
    assert "/.git/" not in floating
    assert "/.git/config" not in floating


@pytest.mark.parametrize("rule", ["/conf/keys/*", "/conf/keys/one", "/conf/**/one", "/c*/keys/**"])
@pytest.mark.parametrize("move", ["mv conf shown", "mv conf/keys shown", "mkdir d; mv conf d/"])
async def test_no_folder_above_it_gets_another_name(project: Path, rule: str, move: str):
    (project / "conf" / "keys").mkdir(parents=True)
    (project / "conf" / "keys" / "one").write_text("SECRET\n")
    find = find_denied(person(f"deny read {rule}", "deny read /secrets/**"))
    sandbox = await BwrapSandbox.open(project, scratch=project.parent, find_masks=find)
    try:
        await sandbox.run(f"{move}; touch conf/new conf/keys/new")
        assert "SECRET" not in text(await sandbox.run("grep -rh SECRET . --exclude-dir=src"))
    finally:
        await sandbox.aclose()
    assert (project / "conf" / "keys" / "one").read_text() == "SECRET\n"
    assert (project / "conf" / "new").exists()


async def test_a_folder_whose_name_no_rule_needs_can_be_renamed(
    sandbox: BwrapSandbox, project: Path
):
    await sandbox.run("mv src moved")
    assert (project / "moved" / ".env").exists()
    assert "SECRET" not in text(await sandbox.run("cat moved/.env"))


def test_more_files_than_can_be_covered_are_refused(project: Path):
    (project / "many").mkdir()
    for number in range(DENIED_MASKS_MAX + 1):
        (project / "many" / f"{number}.pem").touch()
    with pytest.raises(DeniedError, match="Deny the folders"):
        found(project, person("deny read **/*.pem"))


async def test_as_many_as_may_be_covered_are(project: Path):
    for number in range(DENIED_MASKS_MAX):
        folder = project / "many" / str(number)
        (folder / "keys").mkdir(parents=True)
    find = find_denied(person("deny read /many/*/keys/**"))
    sandbox = await BwrapSandbox.open(project, scratch=project.parent, find_masks=find)
    try:
        assert text(await sandbox.run("cat a.txt")) == "plain\n"
    finally:
        await sandbox.aclose()


def test_more_than_can_be_looked_at_is_refused(project: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("dataagent_core.permissions.denied.denied_files.DENIED_ENTRIES_MAX", 2)
    with pytest.raises(DeniedError, match="cannot all be covered"):
        found(project, BOTH)


@pytest.mark.parametrize(
    ("rule", "covered"),
    [
        ("/shown/a/secrets/**", ["/secrets/"]),
        ("/shown/a/secrets/key", ["/secrets/key"]),
        ("/shown/*/secrets/**", ["/secrets/"]),
        ("/shown/**", ["/README", "/a.txt", "/names", "/secrets/", "/src/"]),
        ("**/key", ["/secrets/deep/key", "/secrets/key"]),
        ("/shown/b/**", []),
        ("/secrets/**", []),
    ],
)
def test_a_folder_beside_the_workspace_is_covered_by_rules_about_its_own_path(
    project: Path, rule: str, covered: list[str]
):
    shutil.rmtree(project / ".git")
    assert found(project, person(f"deny read {rule}"), "/shown/a") == covered


async def test_a_file_in_a_shown_folder_that_is_denied_later_was_not_covered(
    project: Path, tmp_path: Path
):
    shown = tmp_path / "shown"
    shown.mkdir()
    finder = find_denied(person("deny read /shown/a/key*"), "/shown/a")
    folder = ShownFolder(source=shown, dest="/shown/a", find_masks=finder)
    sandbox = await BwrapSandbox.open(project, scratch=tmp_path, shown=[folder])
    process = await sandbox.start([PYTHON, "-c", "input()"], env={})
    try:
        assert await process.is_covered()
        (shown / "other").write_text("plain")
        assert await process.is_covered()
        (shown / "key").write_text("SECRET")
        assert not await process.is_covered()
        assert "SECRET" not in text(await sandbox.run("cat /shown/a/*"))
    finally:
        await process.kill()
        await sandbox.aclose()
