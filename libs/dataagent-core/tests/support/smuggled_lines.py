"""Lines that hide a command, a write or a read from whoever judges them, made class by class.

Each class is a generator, so that a repair has to hold for the class and not for its one example.
`CANARY` is what must not run; a line without it writes a file or reads what is not there to read.
"""

from collections.abc import Callable, Iterator
from itertools import product

from smuggled_tools import CANARY, TOOL_CLASSES
from smuggled_variables import VARIABLE_CLASSES

_RUNS = f"$({CANARY})"
_SUBSCRIPTS = (f"a[{_RUNS}]", f"a[`{CANARY}`]", f"b[x[{_RUNS}]]", f"a[1+{_RUNS}]")


def tests_with_operators() -> Iterator[str]:
    """Give `[` where the grammar sees one test and bash several commands."""
    braced = f"{{{CANARY},-rf,x}}"
    for operator, command in product(("||", "&&", "|", ";", "&", "\n"), (braced, CANARY)):
        yield f"[ a {operator} {command} ]"
        yield f"[ -f a {operator} {command} -o b ]"
        yield f"if [ a {operator} {command} ]; then ls; fi"
    for redirection in (">", ">>", "2>", "&>", ">|"):
        yield f"[ a {redirection} b ]"
    yield f"[ a -a ({CANARY}) ]"
    yield f"[ {{a,-v}} 'x[{_RUNS}]' ]"


def subscripts() -> Iterator[str]:
    """Give builtins that evaluate what stands in a name."""
    for name in _SUBSCRIPTS:
        quoted = f"'{name}'"
        for line in (
            "printf -v {} y",
            "printf -v{} y",
            "printf -v a -v {} y",
            "read {}",
            "read a b {}",
            "read -r a {}",
            "read -a {}",
            "wait -p {}",
            "wait -n -p {}",
            "test -v {}",
            "test ! -v {}",
            "[ -v {} ]",
            "[[ -v {} ]]",
            "[[ (-v {}) ]]",
            "[[ {} -eq 1 ]]",
            "unset {}",
            "unset -v {}",
            "command unset {}",
            "builtin unset {}",
            "\\unset {}",
            "declare {}=1",
            "declare -i x={}",
            "command declare {}=1",
            "typeset -i x={}",
            "local {}=1",
            "readonly {}=1",
            "export {}=1",
            "getopts a {}",
            "x=([{}]=1)",
            "x[{}]=1",
            "let {}",
            "(( {} ))",
            "echo $(( {} ))",
            "echo ${{x[{}]}}",
            "echo ${{x:{}}}",
            "mapfile {}",
            "for (( {}; 0; )); do ls; done",
        ):
            yield line.format(quoted)
            if "$((" in line or "((" in line:
                yield line.format(name)


def expansions_that_set() -> Iterator[str]:
    """Give variables that are set where nobody looks for it."""
    for setting in ("${a:=%s}", "${a=%s}", "${b:-${a:=%s}}", "${b:+${a:=%s}}", '"${b:-${a:=%s}}"'):
        yield f"echo {setting % CANARY}; $a x"
        yield f"a=; echo {setting % CANARY}; $a x"
        yield f"a=ls; unset_it=1; echo {setting % CANARY}"
    for inner in ("${!a}", "${a@P}", "${a@E}", f"${{a[{_RUNS}]}}", "${!a*}"):
        yield f"echo ${{b:-{inner}}}"
        yield f'echo "${{b:-{inner}}}"'
        yield f"echo ${{b/{inner}/x}}"
    yield f"a=ls; n=$'\\x61'; re\"ad\" $n <<< {CANARY}; $a x"
    yield f"a=ls; n=$'\\x61'; 'printf' -v $n {CANARY}; $a x"
    yield f"x='-v a[{_RUNS}]'; [ $x ]"
    yield f"x='-v a[{_RUNS}]'; test $x"
    yield f'x=-v; y=\'a[{_RUNS}]\'; z=$(echo $x); [ "$z" "$y" ]'


def variables_the_shell_obeys() -> Iterator[str]:
    """Give ways to set a variable that changes what the rest of the line does."""
    for name in ("PATH", "PS4", "IFS", "BASH_ENV", "LD_PRELOAD", "HOME", "CDPATH"):
        yield f"for {name} in '$({CANARY})' .; do set -x; ls; done"
        yield f"read {name} <<< '$({CANARY})'; set -x; ls"
        yield f"read -r a {name} <<< '$({CANARY})'; set -x; ls"
        yield f"printf -v {name} '$({CANARY})'; set -x; ls"
        yield f"while read -r {name}; do ls; done < a"
        yield f"select {name} in .; do ls; done"
        yield f": ${{{name}:={CANARY}}}; ls"
        yield f"{name}+=:.; ls"
        yield f"f() {{ local {name}=.; ls; }}; f"
        yield f"export {name}=.; ls"
        yield f"env {name}=. ls"


def operands_taken_for_options() -> Iterator[str]:
    """Give files that are written and look like options, or stand where none is expected."""
    yield from (
        "uniq - f",
        "uniq -- a f",
        "uniq -c a f",
        "uniq -f 1 a f",
        "uniq a -- f",
        "uniq - -",
    )
    yield from (
        "tee -- -name",
        "tee -a -- -name",
        "ls | tee -- -x",
        "tee -a -x",
        "tee --output-error=warn f",
    )
    yield from ("sort a -o f", "sort -of a", "sort -uof a", "sort a --outp=f", "sort -T. a")
    yield from ("xxd a f", "xxd -r a f", "tree -o f", "file -C -m a", "shuf -o f a")
    yield from ("find . -fprint f", "find . -fprintf f x", "find . -delete", "find . -fls f")
    yield from ("iconv -o f a", "less -of a", "less -Of a", "split a", "csplit a 1", "date -s 0")


def words_of_xargs() -> Iterator[str]:
    """Give xargs where it is not clear which words it replaces, and what they make a command do."""
    for options in ("-I{} -IX", "-IX -I{}", "-I{} -n1", "-n1 -I{}", "-I{} -L1", "-I {} -I X"):
        yield f"echo a | xargs {options} sort {{}} X"
        yield f"echo a | xargs {options} find {{}} X"
    yield f"echo a | xargs -I{{}} {CANARY} {{}}"
    yield f"echo {CANARY} | xargs -I% % x"
    yield f"echo a | xargs -i {CANARY}"
    yield f"echo a | xargs --replace=ls {CANARY}"
    yield f"echo '{CANARY} x' | xargs -IX sh -c X"
    yield f"echo a | xargs -I ls -I e e{CANARY}"


def scripts_of_dash() -> Iterator[str]:
    """Give scripts that dash reads otherwise than bash."""
    scripts = (
        f"$'{CANARY}' x",
        f"echo $'a' '; {CANARY} '",
        "[[ a > f ]]",
        "[[ a < f ]]",
        "[[ a ]]",
        f"(({CANARY} x))",
        f"(( {CANARY} ))",
        f"function f {{ {CANARY}; }}",
        "ls &>f",
        "ls >&f",
        "ls &>>f",
        f"echo a |& {CANARY}",
        f"{{echo,{CANARY}}}",
        f"a+=b {CANARY}",
        f"a=(1 2); {CANARY}",
        f"echo ${{a:1}}; {CANARY}",
        f"time {CANARY}",
        f"select x in a; do {CANARY}; done",
        f"cat <<< a; {CANARY}",
        f"cat <({CANARY})",
        f"for ((;;)); do {CANARY}; done",
        "ls 10>f",
        'echo $"a"',
        "a[0]=1",
        "echo $[1+1]",
        "{fd}>f ls",
        f"echo \"${{a#'}}'}}\"; {CANARY}",
    )
    for shell, script in product(("sh", "dash", "ash", "busybox sh"), scripts):
        quoted = "'" + script.replace("'", "'\\''") + "'"
        yield f"{shell} -c {quoted}"
    for script in scripts[:6]:
        yield f"sh <<'E'\n{script}\nE"
    for shell in ("zsh", "ksh", "mksh"):
        yield f"{shell} -c ls"


def kernel_files() -> Iterator[str]:
    """Give paths that lead to devices and the kernel, however they are written."""
    for path in (
        *("/proc/self/environ", "proc/self/environ", "./proc/self/environ", "././proc/1/environ"),
        *("/proc/1/root/etc/shadow", "proc/1/root/x", "/proc/self/cwd/x", "../proc/self/environ"),
        *("a/../../proc/self/environ", "//proc/self/environ", "/./proc/self/environ"),
        *("/proc/*/root/x", "/*/self/environ", "*/self/environ", "/pro?/self/environ"),
        *("/p[r]oc/self/environ", "/dev/sda", "dev/sda", "dev/mem", "/dev/tcp/a/1", "/sys/kernel"),
        *("sys/kernel/x", "self/environ", "1/environ", "thread-self/root/x", "~/../proc/self/mem"),
        *(
            "/dev/null/../../proc/self/environ",
            "/dev/fd/../../proc/self/environ",
            "dev/../proc/1/fd",
        ),
    ):
        yield f"cat {path}"
        yield f"cd / && cat {path}"
        yield f"grep -f{path} a" if path[0] != "~" else f"cat -n {path}"
        yield f"grep --file={path} a" if path[0] not in "~*" else f"head {path}"
    yield from (
        "xargs -a proc/self/environ echo",
        "xargs -a/proc/self/environ echo",
        "env -C /proc ls",
    )
    yield from (
        "cd / && cat < proc/self/environ",
        "cd /; head -1 < proc/1/environ",
        "git grep --no-index K /",
    )
    yield from ("grep -r KEY /", "rg KEY /", "grep -rn x /.", "cat < /proc/self/environ", "ls proc")


def scripts_of_tools() -> Iterator[str]:
    """Give programs in the languages of sed, awk, jq and find."""
    for script in (
        *(
            "e",
            "1e",
            f"1e {CANARY}",
            f"s/a/{CANARY}/e",
            "s/a/b/we",
            "s/a/b/w f",
            "w f",
            "1w f",
            "r f",
        ),
        *(
            "R f",
            "W f",
            "s/a/b/;w f",
            "s/a/b/\nw f",
            "/a/{w f\n}",
            "{s/a/b/e}",
            "s,a,b,ge",
            "y/a/b/;e",
        ),
        *(
            "s/[/]/e;x/e",
            "s/[]/]/w f;s/x/",
            "$!{e\n}",
            ":a;e;ba",
            "/x/I,/y/Iw f",
            "0~3e",
            "\\,a,w f",
        ),
    ):
        quoted = "'" + script + "'"
        yield f"sed {quoted} a"
        yield f"sed -n -e p -e {quoted} a"
        yield f"sed -ne {quoted} a"
        yield f"sed --expression={quoted} a"
        yield f"sed --expr {quoted} a"
        yield f"sed --exp={quoted} a"
        yield f"sed -l 9 {quoted} a"
        yield f"sed -- {quoted} a"
    yield from (
        "sed -i s/a/b/ a",
        "sed -ni p a",
        "sed -n -i.bak p a",
        "sed -f f a",
        "sed --in-p p a",
    )
    for program in (
        *(f'BEGIN{{system("{CANARY}")}}', '{print > "f"}', '{print >> "f"}', '{print | "sh"}'),
        *('{printf("%s", $1) > "f"}', "{print $1, $2 > $3}", '"date" | getline x', 'getline < "f"'),
        *('BEGIN{while((getline l < "secrets/key") > 0) print l}', 'BEGIN{print ENVIRON["X"]}'),
        *(
            'BEGIN{ARGV[1]="secrets/key"; ARGC=2} 1',
            f'/"/ {{system("{CANARY}")}} /"/',
            '{print |& "sh"}',
        ),
        *(
            f'BEGIN{{if (1) /"/; system("{CANARY}")}} #"',
            '{print a,\n b > "f"}',
            '@load "x"',
            'BEGIN{f="system"; @f("x")}',
        ),
        *(
            f'function f(x) {{ return /"/ }} BEGIN {{ system("{CANARY}") }} #"',
            '{print $1 > "/dev/stderr"}',
        ),
        '{ print "a" "b" > "f" "g" }',
    ):
        yield f"awk '{program}' a"
        yield f"awk -F, '{program}' a"
        yield f"gawk -v x=1 '{program}' a"
        yield f"awk --field-separator , '{program}' a"
        yield f"gawk --assign x=1 '{program}' a"
        yield f"gawk -b '{program}' a"
        yield f"awk -- '{program}' a"
    yield from (
        "awk -f f a",
        "awk -i inplace 1 a",
        "gawk -l x 1",
        "gawk -e 1 -f f",
        "mawk -W exec f",
    )
    for query in (
        "env",
        "env.X",
        "$ENV",
        "$ENV.X",
        '"\\(env)"',
        "[env]",
        ". as $x | env",
        'include "x"; .',
        "input_filename",
    ):
        yield f"jq -n '{query}'"
        yield f"jq '.a, ({query})' a"
    yield from ("jq '# \"\n env # \"' a", """jq '"a\\"" | env | "x"' a""", "jq '\"a\" , env' a")
    yield from (
        "git config a.b c",
        "git config a.b -e",
        "go env -w A=b",
        "go env -u A",
        "go env A -w B=c",
    )
    yield from ("jq -f f a", "jq -L . . a", "jq --from-file f a", "jq -nf f")


def git_that_does_more() -> Iterator[str]:
    """Give looks of git that run or write."""
    yield from (
        *(
            "git grep -Ovim x",
            "git grep -nOvim x",
            "git grep -GOvim x",
            "git grep --open-files-in x",
        ),
        *("git log --output=f", "git log --outp f", "git diff --output f", "git show --ext-diff"),
        *(
            "git log --textconv",
            "git -c core.pager=x log",
            "git -c alias.x=!x x",
            "git --exec-path=. log",
        ),
        *(
            "git cat-file --textconv HEAD:a",
            "git cat-file --filters HEAD:a",
            "git log --show-signature",
        ),
        *(
            "git branch x",
            "git branch -v x",
            "git branch -m x",
            "git branch -D x",
            "git branch --edit-description",
        ),
        *("git tag x", "git tag -d x", "git tag -a x", "git remote add x y", "git remote update"),
        *(
            "git stash",
            "git stash pop",
            "git stash drop",
            "git reflog expire --all",
            "git reflog delete x",
        ),
        *(
            "git config x y",
            "git config --add x y",
            "git config -e",
            "git config --unset x",
            "git worktree add x",
        ),
        *(
            "git --git-dir=x status",
            "git --work-tree=x status",
            "git diff --ext-d",
            "git bisect run x",
        ),
        *(
            "git ls-remote ext::sh",
            "git submodule foreach x",
            "git rebase -x x",
            "git difftool -x x",
        ),
        *(
            "git remote -v add x y",
            "git remote -v update",
            "git remote -v prune x",
            "git log --help",
        ),
        *(
            "git reflog -5 delete x",
            "git reflog --expire=now",
            "git branch -a -d x",
            "git tag -l -d x",
        ),
    )


def programs_that_run_files() -> Iterator[str]:
    """Give words that ask one program for its version and make another run something."""
    yield from ("python version", "node version", "ruby version", "perl version", "make version")
    yield from (
        "php version",
        "bash version",
        "pytest -v",
        "python -v",
        "bun version",
        "lua version",
    )
    yield from (
        "npm version patch",
        "yarn version",
        "go env -w X=y",
        "go run .",
        "pip install x",
        "npm ls --prefix=x -C y",
    )
    yield from ("ps e", "ps auxe", "ps axe", "tar xf a", "tar -tf a -I x", "tar tIf x a", "unzip a")
    yield from (
        "tar -tf a --checkpoint-action=exec=x",
        "hostname x",
        "xxd -r a",
        "less +!x a",
        "more +!x a",
    )


CLASSES: dict[str, Callable[[], Iterator[str]]] = {
    made.__name__: made
    for made in (
        tests_with_operators,
        subscripts,
        expansions_that_set,
        variables_the_shell_obeys,
        operands_taken_for_options,
        words_of_xargs,
        scripts_of_dash,
        kernel_files,
        scripts_of_tools,
        git_that_does_more,
        programs_that_run_files,
        *TOOL_CLASSES,
        *VARIABLE_CLASSES,
    )
}


def all_smuggled() -> list[str]:
    """Give every line of every class once."""
    return list(dict.fromkeys(line for made in CLASSES.values() for line in made()))
