"""Whether an awk program only computes and prints: it runs, reads and writes nothing by itself.

The text is taken apart into tokens, so that `$3 > 100` is a comparison and `print > "x"` a file.
Where awks differ on what a token is (is `/` a division or does it begin an expression?) the answer
is no.
"""

import re

_TOKEN = re.compile(
    r"""(?P<blank>[ \t]+|\#[^\n]*)
      | (?P<string>"(?:[^"\\\n]|\\[^\n])*")
      | (?P<number>\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+)
      | (?P<name>[A-Za-z_]\w*)
      | (?P<sign>\|\||&&|>>|>=|<=|==|!=|!~|\+\+|--|[-+*/%^]=|[-+*%^!~<>|?:,;(){}\[\]$=\n])
      | (?P<slash>/)""",
    re.VERBOSE | re.ASCII,
)
# Up to the next slash; one in brackets is another matter to each awk.
_EXPRESSION = re.compile(r"/(?:[^/\\\n\[]|\\[^\n]|\[\^?[^\]\[/\\\n]+\])*/")
_REACHES_OUT = frozenset(
    {"system", "getline", "ENVIRON", "ARGV", "ARGC", "PROCINFO", "FUNCTAB", "SYMTAB"}
)
# Behind these a slash divides, unless it begins an expression, which another slash would end.
_MAY_END_A_VALUE = frozenset(
    {")", "++", "--", "print", "printf", "in", "else", "do", "return", "length", "delete", "exit"}
)
_BEFORE_EXPRESSION = frozenset({"", "(", ",", "{", "}", ";", "!", "~", "!~", "&&", "||", "\n"})
_WHILE_PRINTING = frozenset({">", ">>"})


def only_computes(program: str) -> bool:
    """Say whether a program runs, reads and writes nothing but its input and output."""
    place, before, printing = 0, "", False
    while place < len(program):
        found = _TOKEN.match(program, place)
        if found is None:
            return False
        kind, text = found.lastgroup, found[0]
        if kind == "slash":
            if before in _BEFORE_EXPRESSION:
                found = _EXPRESSION.match(program, place)
                text = "expression"
            elif before in _MAY_END_A_VALUE and program.find("/", place + 1) >= 0:
                return False
            if found is None:
                return False
        elif text in _REACHES_OUT or text == "|" or (printing and text in _WHILE_PRINTING):
            return False
        if kind != "blank":
            printing = text in {"print", "printf"} or (printing and text not in {";", "}"})
            before = text
        place = found.end()
    return True
