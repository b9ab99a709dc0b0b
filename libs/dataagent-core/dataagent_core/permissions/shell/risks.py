"""Which words of a command run or write something that the program is not known for.

A wildcard in an allow rule does not cover them: the rule must name them. Options are in
`risk_table.py`; scripts of `sed` and `awk` and the second file of `uniq` are found by parsing.
`may_start_another` tells whether an option starts another program, which a deny rule would not see:
auto mode then asks (`permissions/mode.py`). Code for an interpreter (`python -c`) is handled in
`interpreters.py`.
"""

from typing import Final

from dataagent_core.permissions.shell.line import Word
from dataagent_core.permissions.shell.programs.script_places import SCRIPT_PLACES, script_may_run
from dataagent_core.permissions.shell.risk_table import RISKS, SAME_PROGRAMS, TRANSPORT
from dataagent_core.permissions.shell.risky_options import RiskyOptions, new_risks, places_of

_PAGER = new_risks("kt", "--lesskey-file --lesskey-src --lesskey-content --cmd", pattern=r"\+.*")
_EDITOR = new_risks("cS", "--cmd", pattern=r"\+.*")
_REMOTE = new_risks("oFSJ")
_NPM = new_risks("", "--script-shell --shell --call -c --node-options --git --viewer --editor")
SUBPROGRAM_OPTIONS: Final[dict[str, RiskyOptions]] = {
    "find": new_risks("", "-exec -execdir -ok -okdir"),
    "fd": new_risks("xX", "--exec --exec-batch", valued="eEtjSc"),
    "rg": new_risks("", "--pre --hostname-bin", valued="ABCEMTdefgjmrt"),
    "ag": new_risks("", "--pager"),
    "sort": new_risks("", "--compress-program", valued="kt"),
    "split": new_risks("", "--filter"),
    "less": _PAGER,
    "more": _PAGER,
    "man": new_risks("PHC", "--pager --html --config-file"),
    "git": new_risks(
        "",
        "--config-env --exec-path --upload-pack --receive-pack --ext-diff --exec --config "
        "--open-files-in-pager --extcmd --sendmail-cmd --strategy",
        pattern=TRANSPORT,
        leading="-c",
    ),
    "git grep": new_risks("O", "", valued="ABCefm"),
    "git rebase": new_risks("xs", "", valued="C"),
    "git difftool": new_risks("x"),
    "git merge": new_risks("s", valued="mFX"),
    "git pull": new_risks("s", valued="X"),
    "git bisect": new_risks("", "run"),
    "git submodule": new_risks("", "foreach"),
    "git clone": new_risks("cu", "", valued="bjo"),
    "git hook": new_risks("", "run"),
    "git send-email": new_risks("", "--to-cmd --cc-cmd --header-cmd"),
    "git filter-branch": new_risks("", "", pattern=r"--.*-filter.*"),
    # A variable of make may be a command; one that is a plain word is not looked at, but for SHELL.
    "make": new_risks(
        "fE",
        "--eval --file --makefile",
        valued="CWjlo",
        pattern=r"\.?(?:SHELL|MAKE)\w*\s*(?:::?:?|\+|\?|!)?=.*|[A-Za-z_.%][\w.%-]*=.*[^\w./:+-].*",
    ),
    "just": new_risks("", "--shell --shell-arg --command -c"),
    "gcc": new_risks("", "-wrapper"),
    "go": new_risks(pattern=r"--?(?:exec|toolexec|vettool)(?:=.*)?"),
    "cargo": new_risks("", "--config", abbreviates=False),
    **dict.fromkeys(("npm", "npx", "pnpm", "yarn"), _NPM),
    "tar": new_risks(
        "IF",
        "--to-command --use-compress-program --checkpoint-action --info-script --rsh-command "
        "--new-volume-script --rmt-command",
        valued="fbHNVXL",
        pattern=r"[\w.@-]+:.*",
        bundle=True,
    ),
    **dict.fromkeys(("apt", "apt-get"), new_risks("oc", "--option --config-file", valued="t")),
    "dpkg": new_risks("", "--pre-invoke --post-invoke --status-logger", abbreviates=False),
    "rpm": new_risks("ED", "--pipe --eval --define --predefine --macros --load"),
    "nc": new_risks("ec", "--exec --sh-exec"),
    "tcpdump": new_risks("z"),
    "bat": new_risks(words="--pager"),
    "java": new_risks(pattern=r"-XX:On.*"),
    "zip": new_risks("T", "-TT --unzip-command"),
    "rsync": new_risks("e", "--rsh --rsync-path"),
    **dict.fromkeys(("ssh", "scp", "sftp"), _REMOTE),
    **dict.fromkeys(("vim", "vi", "view", "nvim", "ex"), _EDITOR),
    "emacs": new_risks("f", "--eval --execute --funcall"),
    "ed": new_risks(pattern=r"!.*"),
    "psql": new_risks("", "--pager", pattern=r"\\.*"),
    "mysql": new_risks("", "--pager", pattern=r"\\.*"),
    "sqlite3": new_risks("", "-cmd --cmd", pattern=r"\.(?:sh|sy|im|on|ou|ex).*"),
}
SUBPROGRAM_OPTIONS.update(
    (same, SUBPROGRAM_OPTIONS[known])
    for same, known in SAME_PROGRAMS.items()
    if known in SUBPROGRAM_OPTIONS
)


def risky_places(words: tuple[Word, ...]) -> frozenset[int]:
    """List where the words of a command stand that run or write something else."""
    scripts = SCRIPT_PLACES.get(words[0].text)
    found = places_of(words, RISKS) or frozenset()
    return found if scripts is None else found.union(scripts(words))


def may_start_another(words: tuple[Word, ...]) -> bool:
    """Say whether a command starts a program that is named in an option or a script of its own."""
    return bool(places_of(words, SUBPROGRAM_OPTIONS)) or script_may_run(words)
