"""A variable that bash calculates with is asked about when a line sets it, as a real bash shows."""

import shutil
import subprocess

import pytest
from judging import decide
from smuggled_variables import INTEGERS

BASH = shutil.which("bash")
pytestmark = pytest.mark.skipif(BASH is None, reason="bash is not installed")


def run(script: str) -> str:
    done = subprocess.run(
        [str(BASH), "--noprofile", "--norc", "-c", script],
        capture_output=True,
        text=True,
        check=False,
        timeout=10,
    )
    return done.stdout


def runs_its_value(name: str) -> bool:
    ways = ("{}='{}'", "for {} in '{}'; do :; done", "read {} <<< '{}'")
    code = "a[$(echo ran >&3)]"
    return any("ran" in run(f"exec 3>&1; {way.format(name, code)}") for way in ways)


def test_every_variable_that_makes_bash_run_its_value_is_asked_about():
    evaluated = [n for n in {*run("compgen -v").split(), *INTEGERS} if runs_its_value(n)]
    assert {"RANDOM", "OPTIND", "SECONDS"} <= {*evaluated}
    for line in ("{}=x; ls", "read {} < a", "for {} in x; do ls; done", "printf -v {} x"):
        assert [name for name in sorted(evaluated) if decide(line.format(name)) == "allow"] == []


def test_an_ordinary_variable_is_not_asked_about():
    for line in ("x=1; ls", "for i in a b; do ls $i; done", "read -r x < a; echo $x"):
        assert decide(line) == "allow"
