"""Programs that only start another one: their options, so that the other one can be seen."""

from dataclasses import dataclass, field

from dataagent_core.permissions.shell.name_list import names
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
# The others are read as bash, as far as they agree with it (`posix.py`); these agree on too little.
READ_AS_BASH = names("bash rbash")
UNLIKE_BASH = names("zsh ksh mksh")
