"""Lines that hide a command in a variable: one that bash calculates with, sets or hands on.

`smuggled_lines.py` says what they are for.
"""

from collections.abc import Iterator
from itertools import product

from smuggled_tools import CANARY

_CODE = f"a[$({CANARY})]"
# Bash takes what these are set to for arithmetic.
INTEGERS = ("RANDOM", "SRANDOM", "SECONDS", "OPTIND", "HISTCMD")


def variables_bash_calculates_with() -> Iterator[str]:
    """Give ways to set a variable whose value bash evaluates."""
    for name in (*INTEGERS, "FUNCNEST", "LINENO", "EPOCHSECONDS"):
        yield f"{name}='{_CODE}'; echo x"
        yield f"{name}+='{_CODE}'"
        yield f"x='{_CODE}'; {name}=$x"
        yield f"read {name} <<< '{_CODE}'"
        yield f"printf -v {name} '{_CODE}'"
        yield f"for {name} in '{_CODE}'; do :; done"
        yield f"while read -r {name}; do :; done < a"


def arithmetic_taken_for_commands() -> Iterator[str]:
    """Give arithmetic inside an expansion, where the grammar sees a command in brackets."""
    for expansion in ("${y:-$((x))}", '"${y:-$((x))}"', "${y:+$((x))}", "${y:-${z:-$((x))}}"):
        yield f"x='{_CODE}'; echo {expansion}"
        yield f"x='{_CODE}'; cat <<< {expansion}"
    yield f"x='{_CODE}'; date() {{ ls; }}; ls ${{y:-$((x))}}"


def quotes_that_do_not_quote() -> Iterator[str]:
    """Give single quotes in an expansion, which mean nothing to bash within double quotes."""
    texts = (
        *(
            f"$({CANARY})",
            f"`{CANARY}`",
            f"${{y:-$({CANARY})}}",
            f"a$({CANARY})b",
            f"\\\\$({CANARY})",
        ),
        *(
            f'}}"; {CANARY}; echo "',
            f'}}" $({CANARY}) "',
            f'}}" | {CANARY} "',
            f'}}"\n{CANARY}\necho "',
        ),
    )
    for text, sign in product(texts, (":-", "-", ":+", "#", "%", "/", ":?")):
        yield f"echo \"${{x{sign}'{text}'}}\""
        yield f"ls \"a${{x{sign}'{text}'}}b\""
        yield f"cat <<E\n${{x{sign}'{text}'}}\nE"
    yield f"echo \"${{x:-$'$({CANARY})'}}\""


def backquotes_that_end_early() -> Iterator[str]:
    """Give backquotes in quotes within backquotes: bash ends the substitution there."""
    for inner in (f"$({CANARY})", f"${{x:-$({CANARY})}}", CANARY):
        yield f"echo \"`echo 'a `echo {inner}`'`\""
        yield f"echo `echo 'a` {inner} `b'`"
        yield f"echo \"`echo 'a` {inner} `b'`\""


def names_that_printf_counts_into() -> Iterator[str]:
    """Give formats with which printf sets a variable to a number."""
    formats = ("%s%n", "%s%ln", "%s%-5n", "%s%%%hhn", "%s %d%n", "%b%n")
    for written, name in product(formats, ("PATH", "HOME", "OPTIND")):
        yield f"printf '{written}' abc {name}; ls"
        yield f"printf '{written}' 1 2 {name} && ls"
        yield f"printf -- '{written}' abc {name}; ls"
    yield 'read -r x < p; printf "%s$x" abc PATH; ls'
    yield 'read -r x < p; printf "%s$x" abc "$y"; ls'


def variables_handed_on_by_name() -> Iterator[str]:
    """Give variables that are set for the shell and handed on to programs afterwards."""
    for name, program in (
        ("AWKPATH", "awk 1 a"),
        ("PYTEST_PLUGINS", "pytest --version"),
        ("OPENSSL_CONF", "openssl version"),
        ("_JAVA_OPTIONS", "java -version"),
        ("MAGIC", "file a"),
        ("TERMINFO", "less a"),
    ):
        yield f"{name}=./x; export {name}; {program}"
        yield f"export {name}; {name}=./x; {program}"
        yield f"read {name} <<< x; export {name}; {program}"
        yield f"{name}=./x; command export {name}; {program}"
        yield f"{name}=./x; builtin export {name}; {program}"


VARIABLE_CLASSES = (
    variables_bash_calculates_with,
    arithmetic_taken_for_commands,
    quotes_that_do_not_quote,
    backquotes_that_end_early,
    names_that_printf_counts_into,
    variables_handed_on_by_name,
)
