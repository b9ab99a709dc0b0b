"""Which words of a command run or write something that the program is not known for.

A wildcard in an allow rule does not cover them: the rule must name them. Options are in
`risk_table.py`; scripts of `sed` and `awk` and the second file of `uniq` are found by parsing.
`may_start_another` tells whether an option starts another program, which a deny rule would not see:
auto mode then asks (`permissions/mode.py`). Code for an interpreter (`python -c`) is handled in
`interpreters.py`.
"""

from typing import Final

from dataagent_core.permissions.shell.line import Word
from dataagent_core.permissions.shell.programs.script_words import SCRIPT_FINDERS, script_may_run
from dataagent_core.permissions.shell.risk_table import RISKS, SAME_PROGRAMS, TRANSPORT
from dataagent_core.permissions.shell.risky_options import (
    RiskyOptions,
    find_table_words,
    make_risks,
)

_PAGER = make_risks("kt", "--lesskey-file --lesskey-src --lesskey-content --cmd", pattern=r"\+.*")
_EDITOR = make_risks("cS", "--cmd", pattern=r"\+.*")
_REMOTE = make_risks("oFSJ")
_NPM = make_risks("", "--script-shell --shell --call -c --node-options --git --viewer --editor")
SUBPROGRAM_OPTIONS: Final[dict[str, RiskyOptions]] = {
    "find": make_risks("", "-exec -execdir -ok -okdir"),
    "fd": make_risks("xX", "--exec --exec-batch", valued="eEtjSc"),
    "rg": make_risks("", "--pre --hostname-bin", valued="ABCEMTdefgjmrt"),
    "ag": make_risks("", "--pager"),
    "sort": make_risks("", "--compress-program", valued="kt"),
    "split": make_risks("", "--filter"),
    "less": _PAGER,
    "more": _PAGER,
    "man": make_risks("PHC", "--pager --html --config-file"),
    "git": make_risks(
        "",
        "--config-env --exec-path --upload-pack --receive-pack --ext-diff --exec --config "
        "--open-files-in-pager --extcmd --sendmail-cmd --strategy",
        pattern=TRANSPORT,
        leading="-c",
    ),
    "git grep": make_risks("O", "", valued="ABCefm"),
    "git rebase": make_risks("xs", "", valued="C"),
    "git difftool": make_risks("x"),
    "git merge": make_risks("s", valued="mFX"),
    "git pull": make_risks("s", valued="X"),
    "git bisect": make_risks("", "run"),
    "git submodule": make_risks("", "foreach"),
    "git clone": make_risks("cu", "", valued="bjo"),
    "git hook": make_risks("", "run"),
    "git send-email": make_risks("", "--to-cmd --cc-cmd --header-cmd"),
    "git filter-branch": make_risks("", "", pattern=r"--.*-filter.*"),
    # A variable of make may be a command; one that is a plain word is not looked at, but for SHELL.
    "make": make_risks(
        "fE",
        "--eval --file --makefile",
        valued="CWjlo",
        pattern=r"\.?(?:SHELL|MAKE)\w*\s*(?:::?:?|\+|\?|!)?=.*|[A-Za-z_.%][\w.%-]*=.*[^\w./:+-].*",
    ),
    "just": make_risks("", "--shell --shell-arg --command -c"),
    "gcc": make_risks("", "-wrapper"),
    "go": make_risks(pattern=r"--?(?:exec|toolexec|vettool)(?:=.*)?"),
    "cargo": make_risks("", "--config", abbreviates=False),
    **dict.fromkeys(("npm", "npx", "pnpm", "yarn"), _NPM),
    "tar": make_risks(
        "IF",
        "--to-command --use-compress-program --checkpoint-action --info-script --rsh-command "
        "--new-volume-script --rmt-command",
        valued="fbHNVXL",
        pattern=r"[\w.@-]+:.*",
        bundle=True,
    ),
    **dict.fromkeys(("apt", "apt-get"), make_risks("oc", "--option --config-file", valued="t")),
    "dpkg": make_risks("", "--pre-invoke --post-invoke --status-logger", abbreviates=False),
    "rpm": make_risks("ED", "--pipe --eval --define --predefine --macros --load"),
    "nc": make_risks("ec", "--exec --sh-exec"),
    "tcpdump": make_risks("z"),
    "bat": make_risks(words="--pager"),
    "java": make_risks(pattern=r"-XX:On.*"),
    "zip": make_risks("T", "-TT --unzip-command"),
    "rsync": make_risks("e", "--rsh --rsync-path"),
    **dict.fromkeys(("ssh", "scp", "sftp"), _REMOTE),
    **dict.fromkeys(("vim", "vi", "view", "nvim", "ex"), _EDITOR),
    "emacs": make_risks("f", "--eval --execute --funcall"),
    "ed": make_risks(pattern=r"!.*"),
    "psql": make_risks("", "--pager", pattern=r"\\.*"),
    "mysql": make_risks("", "--pager", pattern=r"\\.*"),
    "sqlite3": make_risks("", "-cmd --cmd", pattern=r"\.(?:sh|sy|im|on|ou|ex).*"),
}
SUBPROGRAM_OPTIONS.update(
    (same, SUBPROGRAM_OPTIONS[known])
    for same, known in SAME_PROGRAMS.items()
    if known in SUBPROGRAM_OPTIONS
)


def find_risky_words(words: tuple[Word, ...]) -> frozenset[int]:
    """List the indexes of words of a command that run or write something else."""
    scripts = SCRIPT_FINDERS.get(words[0].text)
    found = find_table_words(words, RISKS) or frozenset()
    return found if scripts is None else found.union(scripts(words))


def may_start_another(words: tuple[Word, ...]) -> bool:
    """Say whether a command starts a program that is named in an option or a script of its own."""
    return bool(find_table_words(words, SUBPROGRAM_OPTIONS)) or script_may_run(words)
