"""Random command lines around the canary: put together from pieces, or known lines changed a little.

Seeded, so that a line that was found can be found again.
"""

from collections.abc import Iterator, Sequence
from random import Random

PIECES = (
    *(
        "canary",
        "canary x",
        "$(canary)",
        "`canary`",
        "'$(canary)'",
        "a[$(canary)]",
        "'a[$(canary)]'",
    ),
    *(
        "{canary,x}",
        "{ls,a}",
        "x=canary",
        "$x",
        '"$x"',
        "${x}",
        "${x:=canary}",
        "${y:-",
        "${y:-$x}",
    ),
    *(
        " ",
        "  ",
        "\t",
        "\n",
        ";",
        "&&",
        "||",
        "|",
        "|&",
        "&",
        "!",
        "#",
        " #",
        "\\",
        "\\\n",
        "=",
        "+",
    ),
    *(
        "(",
        ")",
        "{ ",
        "; }",
        "$(",
        "`",
        "'",
        '"',
        "}",
        "<(",
        ">(",
        "$((",
        "))",
        "((",
        "[ ",
        " ]",
        "[",
        "]",
    ),
    *(
        "RANDOM=",
        "OPTIND=",
        "SECONDS",
        "${x:-'",
        "'}",
        "%n",
        "export ",
        "$((x))",
        "printf '%s%n' a ",
    ),
    *("[[ ", " ]]", "> f", ">f", ">>f", "2>&1", "2>f", "&>f", ">&f", ">|f", "<>f", "<<< l", "10>f"),
    *("<<E\n", "\nE\n", "<<'E'\n", "<<-E\n", "$'", '$"', "\\'", '\\"', "$'\\x63anary'", "ca''nary"),
    *("if ", "; then ", "; fi", "while false; do ", "; done", "for i in ", "; do ", "case n in "),
    *(
        "*) ",
        ";;",
        ";&",
        " esac",
        "f() ",
        "function f ",
        "eval ",
        "time ",
        "command ",
        "exec ",
        "! ",
    ),
    *(
        "ls ",
        "cat ",
        "echo ",
        "printf ",
        "read ",
        "test ",
        "sort ",
        "uniq ",
        "tee ",
        "wait ",
        "set ",
    ),
    *(
        "find . ",
        "xargs ",
        "sed ",
        "awk ",
        "env ",
        "sh -c ",
        "bash -c ",
        "unset ",
        "export ",
        "cd ",
        "head ",
    ),
    *(
        "a",
        "b",
        "f",
        "-",
        "--",
        "-v",
        "-o",
        "-p",
        "-a",
        "-c",
        "-i",
        "-e",
        "-n",
        "-exec ",
        "-delete",
        " {} ;",
    ),
    *(
        "-I{} ",
        "-IX ",
        "{}",
        "X",
        "-vx",
        "-fprint f",
        "w f",
        "e canary",
        "s/a/b/",
        "p",
        "1",
        ",",
        "$",
        "$1",
    ),
    *(
        'print > "f"',
        'system("canary")',
        "BEGIN",
        "{print}",
        "/a/",
        '"',
        "~",
        "*",
        "?",
        "i*",
        "@",
        "%",
        ":",
    ),
)
FRAMES = (
    *(
        "{0}",
        "{0}",
        "{0}; {1}",
        "{0} | {1}",
        "{0} && {1}",
        "echo {0}",
        "echo {0} {1}",
        'echo "{0}" {1}',
    ),
    *(
        "[ {0} ]",
        "[ {0} ] && {1}",
        "[ -f {0} ] || {1}",
        "[[ {0} ]]",
        "[[ -n {0} ]] && {1}",
        "test {0}",
    ),
    *(
        "printf {0}",
        "printf -v {0}",
        "read {0}",
        "read -r {0}",
        "wait {0}",
        "cat {0}",
        "ls {0}",
        "head {0}",
    ),
    *("echo '{0}' {1}", "echo $({0}) {1}", "echo `{0}` {1}", "echo ${{y:-{0}}}", "echo ${{x{0}}}"),
    *(
        "echo $(( {0} ))",
        "x={0}; {1}",
        "x={0} {1}",
        "x=({0}); {1}",
        "x='{0}'; $x {1}",
        'x="{0}"; [ $x ]',
    ),
    *(
        "cat <<E\n{0}\nE\n{1}",
        "cat <<'E'\n{0}\nE\n{1}",
        "cat {0} <<E\n{1}\nE",
        "cat <<-E\n\t{0}\n\tE\n{1}",
    ),
    *(
        "if {0}; then {1}; fi",
        "for i in {0}; do {1}; done",
        "while {0}; do break; done",
        "until {0}; do :; done",
    ),
    *(
        "case {0} in {1}) ls;; esac",
        "case a in a) {0};; esac",
        "f() {{ {0}; }}; f {1}",
        "ls() {{ cat {1}; }} <<<{0}; ls",
        "ls() (cat) <<< {0} {1}; ls",
        "ls() {{ cat; }} {0}; ls",
        "for i in {{1..3}}; do {0}; done",
        "{{ {0}; }} {1}",
        "({0}) {1}",
    ),
    *(
        "! {0}",
        "{0} # {1}",
        "eval '{0}' {1}",
        "eval {0}",
        "bash -c '{0}'",
        "sh -c '{0}'",
        'sh -c "{0}"',
        "trap {0} EXIT",
    ),
    *(
        "ls | xargs {0}",
        "ls | xargs -I{{}} {0}",
        "find . {0}",
        "find . -exec {0} \\;",
        "sort {0} a",
        "uniq {0}",
    ),
    *(
        "tee {0}",
        "ls | tee {0}",
        "sed '{0}' a",
        "sed -n {0} a",
        "sed -e '{0}' -e '{1}' a",
        "awk '{0}' a",
        "awk {0} a",
        'awk \'BEGIN{{x {0} /"/; system("canary") }} #"\' a',
        'awk \'BEGIN{{{0}system("canary"){1}}} #"\' a',
    ),
    *(
        "awk '{{ {0} }}' a",
        "jq '{0}' a.json",
        "git {0}",
        "git log {0}",
        "env {0}",
        "env - {0}",
        "x=$(echo '{0}'); sed \"s,$x,{1},\" a",
        'x=$(echo \'{0}\'); awk "{{print \\"$x\\"}}" a',
        "echo '{0}' | xargs -I{{}} sed 's,{{}},{1},' a",
        "timeout 1 {0}",
        "command {0}",
    ),
    *(
        "ls 2>&1 {0}",
        "ls {0} > /dev/null",
        "cat < {0}",
        "ls &\n{0}",
        "a | b {0}\n{1} && c",
        "cd {0} && ls {1}",
    ),
)


# How often a line is a script of a tool, or a known line that was changed.
_SCRIPTS = 0.2
_CHANGED = 0.35


def put_together(random: Random) -> str:
    """Make a line of pieces."""

    def some() -> str:
        return "".join(random.choice(PIECES) for _ in range(random.randint(1, 4)))

    return random.choice(FRAMES).format(some(), some())


_SED = (
    *(
        "s",
        "y",
        "/",
        "/",
        "/",
        "|",
        ",",
        "a",
        "b",
        "[",
        "]",
        "[^",
        "^",
        "\\",
        "w f",
        "e canary",
        "e",
    ),
    *(
        "w",
        "r",
        "R a",
        "W f",
        "g",
        "p",
        "d",
        "q",
        "n",
        ";",
        "\n",
        "{",
        "}",
        "!",
        "1",
        "$",
        "~",
        "+2",
    ),
    *(
        ":a",
        "ba",
        "I",
        "M",
        "#",
        "&",
        "s/a/b/",
        "/a/",
        "\\n",
        "=",
        "l",
        "i x",
        "a x",
        "c x",
        " ",
        "x",
    ),
)
_AWK = (
    *(
        "BEGIN",
        "{",
        "}",
        "print ",
        "printf ",
        ">",
        ">>",
        '"f"',
        'system("canary")',
        "|",
        '"canary"',
    ),
    *(
        "getline ",
        "/",
        "/",
        '"',
        "a",
        "$1",
        "(",
        ")",
        ";",
        "\n",
        "#",
        "\\",
        "[",
        "]",
        "?",
        ":",
        "!",
    ),
    *(
        "~",
        "&&",
        "||",
        "++",
        "+=",
        "if ",
        "else ",
        "return ",
        "in ",
        "length",
        "1",
        "e",
        ",",
        "<",
        "=",
    ),
    *(
        "/a/",
        '/"/',
        "a/b",
        "x = 1",
        "END",
        "function f(x) ",
        "f(1)",
        "NR",
        "while (0) ",
        "/[/]/",
        " ",
    ),
)


def script(random: Random) -> str:
    """Make a script for sed or awk, which have languages of their own."""
    program, tokens = random.choice((("sed", _SED), ("sed -n", _SED), ("awk", _AWK)))
    text = "".join(random.choice(tokens) for _ in range(random.randint(1, 9)))
    if program == "awk" and random.random() < 0.7:
        text = (
            random.choice(("BEGIN {%s}", "{%s}", "/a/ {%s}", '{x = 1; %s; system("canary")}'))
            % text
        )
    return f"{program} '{text}' a"


def changed(random: Random, lines: Sequence[str]) -> str:
    """Change a known line a little, or splice two."""
    line = random.choice(lines)
    for _ in range(random.randint(1, 3)):
        start = random.randint(0, len(line))
        end = min(len(line), start + random.randint(0, 4))
        match random.randrange(5):
            case 0:
                line = line[:start] + random.choice(PIECES) + line[start:]
            case 1:
                line = line[:start] + line[end:]
            case 2:
                line = line[:end] + line[start:end] + line[end:]
            case 3:
                other = random.choice(lines)
                line = line[:start] + other[random.randint(0, len(other)) :]
            case _:
                line = line[:start] + random.choice(PIECES) + line[end:]
    return line[:400]


def fuzzed(seed: int, known: Sequence[str]) -> Iterator[str]:
    """Give lines without end."""
    random = Random(seed)
    while True:
        dice = random.random()
        if dice < _SCRIPTS:
            yield script(random)
        elif dice < _SCRIPTS + _CHANGED:
            yield changed(random, known)
        else:
            yield put_together(random)
