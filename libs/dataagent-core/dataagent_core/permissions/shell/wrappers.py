"""Programs that start another one: their options, so that the other one can be seen.

Wrappers start what stands behind their options, `find` what stands behind `-exec`. A shell takes
its script from a word, its input or a file: `bash -c TEXT`, `bash <<EOF`, `bash FILE`.
"""

from dataclasses import dataclass, field

from dataagent_core.permissions.shell.line import UNKNOWN, Word, names
from dataagent_core.permissions.shell.options import OptionSyntax


@dataclass(frozen=True, slots=True)
class Wrapper:
    """`skips`: words before the command that are its own; `asks`: starting it is itself a step."""

    syntax: OptionSyntax = field(default_factory=OptionSyntax)
    skips: int = 0
    takes_assignments: bool = False
    asks: bool = False


WRAPPERS: dict[str, Wrapper] = {
    "env": Wrapper(
        OptionSyntax("i0v", "uC", ("ignore-environment", "null"), ("unset", "chdir")),
        takes_assignments=True,
    ),
    "sudo": Wrapper(OptionSyntax("AbEHknPS", "ugCpT"), takes_assignments=True, asks=True),
    "doas": Wrapper(OptionSyntax("n", "u"), asks=True),
    "xargs": Wrapper(
        OptionSyntax(
            "0rtpx",
            "nPILdsEa",
            ("null", "no-run-if-empty", "verbose", "exit"),
            ("max-args", "max-procs", "max-lines", "delimiter", "arg-file", "max-chars"),
        )
    ),
    "timeout": Wrapper(
        OptionSyntax(
            "vfp", "sk", ("foreground", "preserve-status", "verbose"), ("signal", "kill-after")
        ),
        skips=1,
    ),
    "nice": Wrapper(OptionSyntax("0123456789", "n", (), ("adjustment",))),
    "ionice": Wrapper(OptionSyntax("t", "cn", ("ignore",), ("class", "classdata"))),
    "nohup": Wrapper(),
    "setsid": Wrapper(OptionSyntax("cfw", "", ("ctty", "fork", "wait"))),
    "stdbuf": Wrapper(OptionSyntax("", "ioe", (), ("input", "output", "error"))),
    "time": Wrapper(OptionSyntax("pv", "", ("portability", "verbose")), takes_assignments=True),
    "command": Wrapper(OptionSyntax("pvV")),
    "builtin": Wrapper(),
    "exec": Wrapper(OptionSyntax("cl", "a")),
    "busybox": Wrapper(),
    "toybox": Wrapper(),
    "jobs": Wrapper(OptionSyntax("lnprsx")),
}

# They start other programs in ways that are not looked into here.
LAUNCHERS = names(
    "parallel watch flock script strace ltrace gdb su runuser chroot unshare nsenter systemd-run "
    "at batch crontab setpriv capsh expect screen tmux entr rlwrap unbuffer proot fakeroot "
    "faketime chrt taskset numactl prlimit xvfb-run dbus-run-session start-stop-daemon coproc "
    "pkexec gosu bwrap firejail socat"
)

# They change what the rest of the line means, or run text that stands elsewhere.
MEANING_CHANGERS = names(
    "source . alias unalias shopt enable hash complete compgen compopt bind fc let mapfile "
    "readarray caller history logout suspend disown ! { } [[ ]] then do done fi esac in else elif "
    "function select until while for if case"
)

SHELLS = names("bash sh dash zsh ksh ash mksh rbash")
# The others are read as bash, as far as they agree with it (`parser/script.py`); these agree
# on too little.
READ_AS_BASH = names("bash rbash")
UNLIKE_BASH = names("zsh ksh mksh")
_FLAGS = frozenset("aefhkmnsuvxBCHPc")
# The option and the file.
_CHECK_WORDS = 2
_LONG_FLAGS = frozenset({"--norc", "--noprofile", "--posix"})
_STARTS = frozenset({"-exec", "-execdir", "-ok", "-okdir"})


def only_checks(behind: list[Word]) -> bool:
    """Say whether a shell reads a file without running it: `bash -n FILE`."""
    if len(behind) != _CHECK_WORDS or behind[0].text != "-n":
        return False
    return behind[1].known and behind[1].text[:1] not in {"-", "+", ""}


def tells_version(behind: list[Word]) -> bool:
    """Say whether a shell is only asked for its version."""
    return behind == [Word("--version")]


def find_script(words: list[Word], stdin: Word | None) -> tuple[Word | None, str | None]:
    """Return the script's text, or nothing for a file; or why neither can be told."""
    rest, takes_text, odd = _split_shell_options(words)
    if odd is not None:
        return None, f"what {words[0]} does with {odd} is not looked into"
    if takes_text:
        return (rest[0], None) if rest else (None, f"{words[0]} -c has no text")
    reads_input = any(word.text == "-s" for word in words)
    if rest and not reads_input and rest[0].text not in {"-", "/dev/stdin"}:
        return None, None
    if stdin is None or not stdin.known:
        return None, f"what {words[0]} reads and runs cannot be known"
    return stdin, None


def _split_shell_options(words: list[Word]) -> tuple[list[Word], bool, Word | None]:
    """Return the words behind the options, whether -c is there, and an option nobody knows."""
    takes_text = False
    index = 1
    while index < len(words):
        word = words[index]
        if word.text == "--":
            index += 1
            break
        if word.known and (word.text[:1] not in {"-", "+"} or word.text == "-"):
            break
        if word.text in {"-o", "+o"}:
            index += 1
        elif word.text not in _LONG_FLAGS:
            if not word.known or not set(word.text[1:]) <= _FLAGS:
                return [], False, word
            takes_text = takes_text or "c" in word.text
        index += 1
    return words[index:], takes_text, None


def split_find(words: list[Word]) -> tuple[list[Word], list[list[Word]], bool]:
    """Return find's own words, the commands it starts, and whether one of them has no end."""
    own: list[Word] = []
    started: list[list[Word]] = []
    inner: list[Word] | None = None
    for word in words:
        if inner is None:
            if word.text in _STARTS:
                inner = []
            else:
                own.append(word)
        elif word.text == ";" or (word.text == "+" and inner and inner[-1].text == UNKNOWN):
            started.append(inner)
            inner = None
        else:
            inner.append(Word(word.text.replace("{}", UNKNOWN), word.splits))
    if inner is not None:
        started.append(inner)
    return own, started, inner is not None
