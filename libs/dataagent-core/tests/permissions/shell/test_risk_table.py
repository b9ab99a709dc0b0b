"""A wildcard covers no option that runs or writes elsewhere: every entry of the table, one by one."""

import re
from collections.abc import Mapping

import pytest
from judging import decide, person, shell, verdict

from dataagent_core.permissions.mode import runs_in_auto
from dataagent_core.permissions.shell.risk_table import RISKS
from dataagent_core.permissions.shell.risks import SUBPROGRAM_OPTIONS
from dataagent_core.permissions.shell.risky_options import RiskyOptions
from dataagent_core.permissions.shell.wrappers import LAUNCHERS

_QUOTED = re.compile(r"[^\w./:=@%+-]")
# A word that each pattern of the table is there for.
PATTERNS = {
    "nm": "@x",
    "objdump": "@x",
    "size": "@x",
    "date": "010203042026",
    "less": "+!x",
    "more": "+!x",
    "git": "ext::sh",
    "git diff": "-Oorder",
    "git log": "-Oorder",
    "git filter-branch": "--tree-filter",
    "make": "SHELL=./x",
    "gmake": ".SHELLFLAGS=x",
    "cmake": "-DCMAKE_C_COMPILER=x",
    "gcc": "@x",
    "g++": "-fplugin=x",
    "cc": "-ox",
    "c++": "-ox",
    "clang": "@x",
    "clang++": "@x",
    "go": "-exec=x",
    "curl": "@x",
    "7z": "-o/x",
    "tar": "host:x",
    "gtar": "host:x",
    "bsdtar": "host:x",
    "vim": "+!x",
    "vi": "+!x",
    "view": "+x",
    "nvim": "+x",
    "ex": "+x",
    "rvim": "+x",
    "vimdiff": "+x",
    "nano": "+1",
    "ed": "!x",
    "psql": r"\!x",
    "mysql": r"\!x",
    "sqlite3": ".shell x",
    "duckdb": "copy t to 'x'",
    "terraform": "-chdir=x",
    "dd": "of=x",
    **dict.fromkeys(("pdflatex", "xelatex", "lualatex", "latex", "tex"), r"\write18{x}"),
    "latexmk": "-pdflatex=x",
    "gs": "-sOutputFile=x",
    "protoc": "--plugin=x",
    "java": "-XX:OnError=x",
}


def entries(table: Mapping[str, RiskyOptions]) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for program, risks in table.items():
        found += [(program, "-" + letter) for letter in risks.letters]
        found += [(program, word) for word in sorted(risks.words)]
        if risks.pattern is not None:
            found.append((program, PATTERNS[program]))
    return found


def quoted(word: str) -> str:
    return "'" + word.replace("'", "'\\''") + "'" if _QUOTED.search(word) else word


def test_a_wildcard_does_not_cover_an_option_of_the_table():
    lines = [(program, f"{program} one {quoted(option)} two") for program, option in entries(RISKS)]
    covered = [
        line
        for program, line in lines
        if decide(line, person(f"allow shell {program} *", f"allow shell {program} **")) != "ask"
    ]
    assert len(lines) > 1_000
    assert covered == []


def test_a_wildcard_covers_a_word_without_risk():
    asked: list[str] = []
    for program in sorted(set(RISKS) - LAUNCHERS - {"find"}):
        plain = "p" if program in {"sed", "gsed", "ed"} else "1" if "awk" in program else "one"
        if decide(f"{program} {plain}", person(f"allow shell {program} *")) != "allow":
            asked.append(program)
    assert asked == []


def test_auto_mode_asks_about_what_starts_another_program_while_a_rule_holds_commands_back():
    rules = person("deny shell rm *")
    lines = [
        f"{program} {quoted(option)} 'rm x' two" for program, option in entries(SUBPROGRAM_OPTIONS)
    ]
    ran = [line for line in lines if runs_in_auto(shell(line), verdict(line, rules), rules)]
    assert ran == []
    free = [line for line in lines if runs_in_auto(shell(line), verdict(line), person())]
    assert len(free) == len(lines)


def test_what_starts_another_program_is_in_the_table_of_risks_too():
    covered = [
        (program, option)
        for program, option in entries(SUBPROGRAM_OPTIONS)
        if decide(f"{program} {quoted(option)} x", person(f"allow shell {program} *")) == "allow"
    ]
    assert covered == []


def test_a_rule_that_names_the_option_covers_it():
    assert decide("make test SHELL=x", person("allow shell make test SHELL=x")) == "allow"
    assert decide("git rebase -x make main", person("allow shell git rebase -x make *")) == "allow"


@pytest.mark.parametrize(
    "line",
    [
        *(
            "make SHELL=./x",
            "make test SHELL=x",
            "make -j4 CC=x",
            "make --eval=x",
            "make -f x",
            "make 'A:=x'",
        ),
        *(
            "git rebase -x x main",
            "git rebase --exec x",
            "git rebase --ex x",
            "git -C a rebase -x x",
        ),
        *(
            "git difftool -x x",
            "git difftool -yx x",
            "git difftool --extcmd=x",
            "git difftool --ext x",
        ),
        *(
            "git bisect run x",
            "git submodule foreach x",
            "git clone ext::x",
            "git fetch --upload-pack x",
        ),
        *(
            "tar -I x -cf a b",
            "tar cIf x a",
            "tar Icf x a b",
            "tar -cf a --checkpoint-action=exec=x b",
        ),
        *(
            "tar -xf a --checkpoint-act exec=x",
            "tar xCf / a",
            "tar -xf a --to-command x",
            "tar -xf a -C /",
        ),
        *(
            "sed '1e x' a",
            "sed 's/a/b/w f' a",
            "sed -e p -e 'w f' a",
            "sed s/a/x/e a",
            "sed -n '$w f' a",
        ),
        *(
            "awk 'BEGIN{system(\"x\")}'",
            "awk '{\"x\" | getline}' a",
            "awk '{print > \"f\"}' a",
            "awk -f f a",
        ),
        *(
            "sed --express='w f' a",
            "sed --expr 'w f' a",
            "sed -l 5 'w f' a",
            "sed -se 'w f' a",
            "sed -- 'w f' a",
        ),
        *(
            "awk --field-separator , 'BEGIN{system(\"x\")}'",
            "gawk --assign a=b 'BEGIN{system(\"x\")}'",
        ),
        *(
            "curl -o f u",
            "curl -D f u",
            "curl -c f u",
            "curl --trace f u",
            "curl -sSLo f u",
            "curl -fO u",
        ),
        *(
            "curl --trace-ascii=f u",
            "curl -K f",
            "curl -w '%output{f}' u",
            "curl --dump-h f u",
            "curl -sofile u",
        ),
        *(
            "wget -O f u",
            "wget -o f u",
            "wget -qO- u",
            "wget --output-doc=f u",
            "wget -e x u",
            "wget -P / u",
        ),
        *("vim +!x a", "vim '+!x' a", "vim -c '!x' a", "vim -S f", "vim --cmd x", "vim -es a"),
        *(
            "find . -exec x ;",
            "find . -delete",
            "find . -fprint f",
            "find . -okdir x ;",
            "find . -fls f",
        ),
        *("xargs x", "xargs -n 1 x", "env -S 'x y'", "env -vS x", "env --split-string=x"),
        *(
            "go test -exec x",
            "go build -toolexec x",
            "go vet -vettool=x",
            "npm test --script-shell x",
        ),
        *(
            "pytest -p x",
            "pytest --basetemp=/x",
            "pytest -c f",
            "python -m x",
            "python -Wc -c x",
            "node -r x",
        ),
        *(
            "docker run -v /:/h x",
            "docker run --privileged x",
            "ssh -oProxyCommand=x h",
            "rsync -e x a b",
        ),
        *(
            "uniq a f",
            "uniq - f",
            "sort -uo f a",
            "git archive -o f HEAD",
            "git format-patch -o d HEAD",
        ),
        *(
            "git -c a=b log",
            "git -C a -c a=b log",
            "git --no-pager -c a=b log",
            "git -C -C grep -O x",
        ),
        *("git grep -O x y", "git config alias.x -e", "git commit -S -m x", "git log --output=f"),
    ],
)
def test_what_runs_or_writes_elsewhere_is_asked_about_behind_a_wildcard(line: str):
    program, sub = line.split(maxsplit=1)[0], line.split()[1]
    rules = person(f"allow shell {program} *", f"allow shell {program} {sub.strip(chr(39))} *")
    assert decide(line, person(f"allow shell {program} *")) == "ask"
    if sub.isalpha() and sub not in {"run", "cIf", "Icf", "xCf", "x"}:
        assert decide(line, rules) == "ask"


@pytest.mark.parametrize(
    "line",
    [
        *(
            "make -j4 test",
            "make -C sub test",
            "git commit -m x",
            "git rebase main",
            "git push origin x",
        ),
        *("tar -czf a.tgz src", "tar xzf a.tgz", "sed -nE -e 5p a", "sed --quiet p a", "awk 1 a"),
        *(
            "curl -sSL u",
            "curl -fs -H 'a: b' u",
            "wget -q u",
            "vim a",
            "pytest -xvs -k foo tests",
            "go test ./...",
        ),
        *("pytest --cov=src -n4", "node x.js", "docker run --rm x", "cargo test --release"),
        *(
            "npm test -- --watch",
            "git log -GTODO",
            "git log -SO",
            "rg -tz x",
            "sort -to a",
            "uv run x",
        ),
    ],
)
def test_ordinary_words_are_still_covered_by_a_wildcard(line: str):
    assert decide(line, person(f"allow shell {line.split(maxsplit=1)[0]} *")) == "allow"


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("sort $x", "ask"),
        ('sort "$x"', "ask"),
        ('make "$x"', "ask"),
        ("make $(cat f)", "ask"),
        ("git add $x", "ask"),
        ("git add src/*.py", "allow"),
        ('git commit -m "$message"', "allow"),
        ('git commit -am "$message"', "allow"),
        ("git commit -m $message", "ask"),
        ("mytool $x", "allow"),
    ],
)
def test_a_word_that_may_become_such_an_option_is_not_covered_either(line: str, action: str):
    assert decide(line, person(f"allow shell {line.split(maxsplit=1)[0]} *")) == action


@pytest.mark.parametrize(
    ("program", "line"),
    [
        ("python3.12", "python3.12 -c x"),
        ("gcc-13", "gcc-13 -wrapper x a.c"),
        ("pip3.11", "pip3.11 install --target x y"),
        ("clang-15", "clang-15 -fplugin=x a.c"),
    ],
)
def test_a_program_with_its_version_in_its_name_is_the_same_program(program: str, line: str):
    assert decide(line, person(f"allow shell {program} *")) == "ask"
    assert decide(f"{program} one", person(f"allow shell {program} *")) == "allow"
