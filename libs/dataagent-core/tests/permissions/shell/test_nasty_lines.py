"""Lines that have fooled others do not fool the rules."""

import pytest
from judging import decide, person, verdict
from nasty_lines import ASKED, ASKED_WHOLE, DENIED, DENIED_WHOLE

RM_IS_DENIED = person("deny shell rm *")


def test_a_forbidden_command_is_found_wherever_it_hides():
    lines = [*DENIED, *DENIED_WHOLE]
    assert [line for line in lines if decide(line, RM_IS_DENIED) != "deny"] == []


def test_nothing_nasty_is_allowed_by_default():
    lines = [*DENIED, *DENIED_WHOLE, *ASKED, *ASKED_WHOLE]
    assert [line for line in lines if decide(line) != "ask"] == []


def test_a_nasty_line_stays_asked_behind_an_allowed_one():
    assert [line for line in ASKED if decide(f"ls -la\n{line}") != "ask"] == []


@pytest.mark.parametrize(
    "line",
    [
        "ls --hyperlink",
        "ls -la | grep x | wc -l",
        "cat a.txt b.txt",
        "cat *.py",
        "echo 'rm -rf /'",
        'echo "$HOME" $x ${y:-z} ${#a}',
        "echo rm # rm",
        "ls;# rm x",
        "grep -rn 'rm -rf' src",
        "git status",
        "git --no-pager log --oneline -n 5",
        "git -C sub diff HEAD~1 -- a.py",
        "git branch -a",
        "git stash list",
        "find . -name '*.py' -type f",
        "find . -name x -exec grep -l y {} +",
        "sort a | uniq -c | sort -rn | head -5",
        "sed -n '1,20p' a",
        "sed 's/a/b/g' a",
        "awk '{print $1}' a",
        "jq '.a' b.json",
        "ls 2>/dev/null >&2",
        "ls > /dev/null 2>&1",
        "wc -l < a.txt",
        "cat <<'E'\n$(rm x)\nE",
        "cat <<E\nhello $name\nE",
        'for f in *.py; do wc -l "$f"; done',
        "if [ -f a ] && [[ $b == c* ]]; then echo yes; else echo no; fi",
        "LC_ALL=C sort a",
        "timeout 5 ls",
        "env TZ=UTC date",
        "bash -c 'ls; pwd'",
        "xargs -n 1 echo",
        "command -v python",
        "python3 --version",
        "cd src && ls",
        "a=src; ls $a",
        "set -euo pipefail; ls",
        "echo $((1 + 2)) $(( (3 * 4) % 5 ))",
        "diff <(ls a) <(ls b)",
        "trap - EXIT",
        "true; :; false || true",
        "ls \\\n  -la \\\n  src",
        "echo 'a\nb'",
        "! grep -q x y",
    ],
)
def test_looking_is_allowed_by_default(line: str):
    found = verdict(line)
    assert found.action == "allow", found


def test_the_tables_hold_what_was_promised():
    assert len(DENIED) + len(ASKED) + len(DENIED_WHOLE) + len(ASKED_WHOLE) >= 300
