"""Lines that hide something in the options of tools, in their scripts and in what wraps a command.

Found by a search of some thousand lines over many programs; `smuggled_lines.py` says what they are for.
"""

from collections.abc import Iterator
from itertools import product

CANARY = "canary"


def texts_of_functions() -> Iterator[str]:
    """Give substitutions in the text that a function is given to read, each time it is called."""
    bodies = ("{ cat; }", "(cat)", "if true; then cat; fi")
    texts = (f"$({CANARY})", f'"$({CANARY})"', f"`{CANARY}`", f"a$({CANARY})b")
    for body, text in product(bodies, texts):
        yield f"ls() {body} <<<{text}; ls"
        yield f"function ls {body} <<< {text}; ls"


def settings_before_programs() -> Iterator[str]:
    """Give what env takes for a setting where bash would see a program."""
    for setting in ("-", "- -", "-i -", "a.b=c", "1=c", "=c", "'a b=c'", "A-B=c", "- a.b=c"):
        yield f"env {setting} {CANARY}"
        yield f"timeout 5 env {setting} {CANARY} x"


def unknown_words_in_scripts() -> Iterator[str]:
    """Give scripts of sed and awk in which a variable or a file's name stands for more."""
    sed = ('sed "s,$x,b," a', 'sed -e "s/a/$x/" a', 'sed -n "/a/s/b/$x/" a')
    awk = ('awk "{print \\"$x\\"}" a', 'awk "BEGIN{x=\\"$x\\"}" a', 'awk -F, "{print \\"$x\\"}" a')
    for command in (*sed, *awk):
        yield f"x=$(cat p); {command}"
        yield f"read -r x < p; {command}"
        yield f"for x in $(cat p); do {command}; done"
    for command in ("sed -n 's,{},x,' a", "awk 'BEGIN{x=\"{}\"}' a"):
        yield f"find . -exec {command} \\;"
        yield f"ls | xargs -I{{}} {command}"


def expressions_of_awk() -> Iterator[str]:
    """Give regular expressions with a quote where a division would begin a string."""
    rest = f'; system("{CANARY}")}} #"'
    signs = [
        "=",
        "+",
        "-",
        "*",
        "%",
        "^",
        "<",
        ">",
        ">=",
        "<=",
        "==",
        "!=",
        "?",
        ":",
        "[",
        "$",
        "+=",
        "-=",
        "*=",
        "/=",
        "%=",
        "^=",
        "~",
        "!~",
        ",",
        "&&",
        "||",
        "!",
        "(",
        "{",
    ]
    for sign in signs:
        yield f"awk 'BEGIN{{x {sign} /\"/{rest}' a"
        yield f"awk -F, 'BEGIN{{y[1 {sign} /=\"/]{rest}' a"
        yield f"mawk '{sign} /\"/ {{1{rest}' a"
    for before in ("case", "return", "in", "else", "do", "print", "length", "delete", "/a/", "x++"):
        yield f"gawk 'BEGIN{{{before} /\"/{rest}' a"
    for number in (".5e3", "1.e3", "0x1", "0x1f", "1e3", "1.5e-3"):
        yield f"awk 'BEGIN{{{number}system(\"{CANARY}\")}}' a"


def options_of_looks() -> Iterator[str]:
    """Give options with which what usually looks runs or writes something."""
    for pager, option in product(
        ("less", "more", "timeout 5 less"),
        (
            "--lesskey-src=k",
            "--lesskey-s k",
            "--lesskey-content=x",
            "--cmd=!x",
            "--tag=x",
            "-T f",
            "-kk",
        ),
    ):
        yield f"{pager} {option} a"
    for group in ("-Ix", "-HIX", "-uIx", "-LIx", "-aIx"):
        yield f"fd {group} {CANARY}"
        yield f"fdfind a {group} {CANARY}"
    for folder in ("-C", "-c", "sub"):
        yield f"git -C {folder} grep -O{CANARY} x"
        yield f"git --no-pager -C {folder} grep -nO{CANARY} x"
    yield from (
        "file -Z a",
        "file --uncompress-noreport a",
        "nm --plugin x a",
        "objdump --plug x a",
    )
    yield from (
        "gzip a",
        "gzip -d a",
        "gzip -kd a",
        "gzip -lr .",
        "top",
        "top -bW",
        "ps -o environ",
    )
    yield from ("ps -eo pid,environ", "uniq -f 1 a f", "uniq -w 1 -- a f", "kill -9 1", "umask 0")
    yield from (
        "bash -n",
        "bash -n a -c x",
        "bash -n -c x",
        "bash -nc x -x",
        "sh -n -",
        "bash --help",
    )


def options_of_package_managers() -> Iterator[str]:
    """Give lists of packages that run a program, write a log or load code."""
    for option in ("toolexec", "exec", "vettool", "overlay", "modfile", "C", "pkgdir"):
        yield f"go list --{option} ./x ./..."
        yield f"go list -{option}=x ."
        yield f"go list -f -{option} x ."
    yield from (
        f"apt list {one}" for one in ("-o Dir::Bin::dpkg=/x", "-oA=b", "-c f", "--option A=b")
    )
    yield from (
        f"rpm -qa {one}" for one in ("--pipe=x", "--define '_x %(x)'", "-E '%(x)'", "--load=f")
    )
    yield from (f"dpkg -l {one}" for one in ("--pre-invoke=x", "--log=f", "--root=."))
    yield from (
        f"npm ls {one}" for one in ("--logs-dir=f", "--logs-dir f", "--viewer x", "--cache f")
    )
    yield from ("pnpm ls --pnpmfile f", "gem list --config-file=f", "cargo tree --lockfile-path f")
    yield from ("pip list --log f", "pip list --keyring-provider subprocess", "uv tree -p ./x")


def patterns_of_kernel_files() -> Iterator[str]:
    """Give patterns that fit a file of a process from the right folder."""
    for path in ("p*/s*/env*", "p*c/self/env?ron", "p*/1/r*/etc/x", "pr??/[0-9]*/mem", "de?/sda"):
        yield f"cat {path}"
        yield f"cd / && head -c 9 {path}"
        yield f"cd ..; sort < {path}"
    yield "find / -path '*self/environ' -exec cat {} +"
    yield "find / -name environ -exec head {} \\;"


def code_loaded_by_looks() -> Iterator[str]:
    """Give options and files of options with which a look loads code, or changes what it lists."""
    for option in ("-s x/y", "-sx/y", "--service=x/y", "--serv x/y", "-i -s x/y"):
        yield f"getent {option} passwd"
        yield f"getent passwd {option}"
    for program in ("nm", "objdump", "size", "objdump -d", "nm -D a"):
        yield f"{program} @names"
    for action in ("--unset-all", "--rename-section", "--remove-section", "--replace-all"):
        yield f"git config get x {action}"
        yield f"git config --get x {action} y"
        yield f"git config -l {action} x"
    yield f"jobs -x {CANARY}"
    yield f"jobs -x {CANARY} %1"
    yield f"toybox {CANARY}"


TOOL_CLASSES = (
    texts_of_functions,
    settings_before_programs,
    unknown_words_in_scripts,
    expressions_of_awk,
    options_of_looks,
    options_of_package_managers,
    patterns_of_kernel_files,
    code_loaded_by_looks,
)
