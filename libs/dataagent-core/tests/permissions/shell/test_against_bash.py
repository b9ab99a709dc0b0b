"""Every command the real bash runs was among those that were judged, or the line was asked about.

Bash runs random lines in which no program exists, and a handler notes what it wanted to run.
"""

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dataagent_core.permissions.shell import UNKNOWN, ShellLine, SimpleCommand, read_line
from tests.counts import examples, rounds

BASH = shutil.which("bash")
BASH_S_MAX = 10

pytestmark = pytest.mark.skipif(BASH is None, reason="bash is not installed")

PIECES = (
    *("aa", "bb x", "'c c'", '"d $v"', "e\\ e", "$'\\x66'", "{g,h}", "i*", "~", "k=1", "-c", "--"),
    *(
        " ",
        "  ",
        "\t",
        "\n",
        ";",
        "&&",
        "||",
        "|",
        "|&",
        "&",
        "!",
        "#",
        " #",
        "\\",
        "\\\n",
        "=",
        "+",
    ),
    *("(", ")", "{ ", "; }", "$(", "`", "'", '"', "${v}", "$v", "${v:-", "}", "<(", "$((", "))"),
    *("> f", ">f", "2>&1", "&>f", "<<< l", "<<E\n", "\nE\n", "<<'E'\n", "v=mm;", "[[ ", " ]]"),
    *("if ", "; then ", "; fi", "while false; do ", "; done", "for i in ", "; do ", "case n in "),
    *("*) ", ";;", " esac", "f() ", "eval ", "time ", "command ", "exec ", "true", "1", ","),
)
FRAMES = (
    "{0}",
    "aa {0}; bb",
    "aa $({0}) {1}",
    'aa "{0}" {1}',
    "if {0}; then {1}; fi",
    "{0} | {1}",
    "aa <<E\n{0}\nE\n{1}",
    "aa {0} <<'E'\n{1}\nE\nbb",
    "{{ {0}; }}",
    "f() {{ {0}; }}; f",
    "eval '{0}'",
    "v={0}; $v {1}",
    "for i in {0}; do {1}; done",
    "case {0} in {1}) {0};; esac",
    "aa `{0}` {1}",
    "aa >{0} {1}",
    "[[ {0} ]] && {1}",
    "aa | bb | {0}\n{1} && cc",
    "! aa | bb {0}\n{1} || cc",
    "if aa | bb {0}\n{1} && cc; then dd; fi",
)
TEXT = st.lists(st.sampled_from(PIECES), min_size=1, max_size=7).map("".join)


@st.composite
def lines(draw: st.DrawFn) -> str:
    return draw(st.sampled_from(FRAMES)).format(draw(TEXT), draw(TEXT))


def ran(line: str, folder: Path) -> list[list[str]]:
    """Let bash run a line in an empty folder; return the words of every program it looked for."""
    log, start = folder / "log", folder / "start"
    # A file for each process: several may run at once, and a word with a line break is written in
    # two parts.
    start.write_text(
        "command_not_found_handle() { local IFS=$'\\x1f'; "
        f"printf '%s\\x1e' \"$*\" >> '{log}'.$BASHPID; return 0; }}\n"
    )
    for old in folder.glob("log.*"):
        old.unlink()
    work = folder / "work"
    work.mkdir(exist_ok=True)
    try:
        subprocess.run(
            [str(BASH), "-c", line],
            cwd=work,
            env={"BASH_ENV": str(start), "PATH": str(folder / "nothing")},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=BASH_S_MAX,
        )
    except subprocess.TimeoutExpired:
        return []
    shutil.rmtree(work)
    return [
        record.split("\x1f")
        for notes in folder.glob("log.*")
        for record in notes.read_bytes().decode(errors="replace").split("\x1e")[:-1]
    ]


def covers(command: SimpleCommand, words: list[str], at: int = 0, place: int = 0) -> bool:
    if at == len(command.words):
        return place == len(words)
    word = command.words[at]
    if word.splits:
        return any(covers(command, words, at + 1, end) for end in range(place, len(words) + 1))
    if place == len(words) or (UNKNOWN not in word.text and word.text != words[place]):
        return False
    return covers(command, words, at + 1, place + 1)


def is_certain(line: ShellLine) -> bool:
    return not line.doubts and not any(command.doubt for command in line.commands)


def check(line: str, folder: Path) -> None:
    judged = read_line(line)
    if not is_certain(judged):
        return
    for words in ran(line, folder):
        assert any(covers(command, words) for command in judged.commands), (line, words, judged)


@pytest.mark.requirement("F3-8")
@settings(max_examples=examples(150))
@given(line=lines())
def test_every_command_bash_runs_was_judged(line: str, tmp_path_factory: pytest.TempPathFactory):
    check(line, tmp_path_factory.mktemp("bash"))


@pytest.mark.slow
@pytest.mark.timeout(7_200)
@settings(max_examples=rounds(2_000, soak=50_000))
@given(line=lines())
def test_every_command_bash_runs_was_judged_in_a_long_search(
    line: str, tmp_path_factory: pytest.TempPathFactory
):
    check(line, tmp_path_factory.mktemp("bash"))


@pytest.mark.parametrize(
    "line",
    [
        "aa 2>f]\\x",
        "{ -c2>&1; }",
        "aa `!]]for i`",
        "{}; bb",
        "aa >\\  +''",
        "aa x\\\t&>f",
        "eval '1='",
        'aa >k=1\t$"b"',
        "time k=1 in",
        "echo '{' } {a",
        "aa <<E\n`bb`\nE",
        "aa > f bb -c",
        "aa -c<<E\nbb\nE",
        "aa -c2<<<bb",
        "aa $v - 2>f",
        "f() { }#; }; f",
        "aa | bb | cc\ndd x && ee",
        "aa | bb | cc $v\ndd x && ee",
        "aa | bb | cc > f\ndd x && ee",
        "aa | bb | cc\nv=1 dd x && ee",
        "! aa | bb 'c\nc' \n\n  dd {} \\; || ee",
    ],
)
def test_what_the_grammar_reads_differently_is_judged_rightly_or_asked(line: str, tmp_path: Path):
    check(line, tmp_path)
