"""Variables whose value is certain: set once, at the top of the line, to something known.

`a=rm; $a x` is `rm x`. Anything that could set the name again, or not set it at all, leaves it
unknown; the check is on the text, so that it holds for every way bash knows of setting a variable.
"""

import re

from dataagent_core.permissions.shell.grammar import Node
from dataagent_core.permissions.shell.name_list import names

# Bash itself gives these their values, whatever they are set to.
_OF_BASH = names(
    "_ FUNCNAME DIRSTACK GROUPS LINENO RANDOM SRANDOM SECONDS EPOCHSECONDS EPOCHREALTIME HISTCMD "
    "PIPESTATUS REPLY OPTARG OPTIND MAPFILE COPROC UID EUID PPID"
)
# These may set a variable whose name is put together at run time, or later (`trap`).
SETTERS = names(
    "read printf mapfile readarray getopts declare typeset local export readonly unset let eval "
    "source . select wait trap"
)
# However they are quoted the reader finds them; here they stand as they are, or as `${a:=b}`.
_SETS = re.compile(
    r"\b(?:" + "|".join(sorted(SETTERS - {"."})) + r")\b|(?:^|[\s;&|(])\.\s|\$\{\w+\s*:?="
)


def first_assignments(root: Node, text: str) -> list[Node]:
    """List the assignments that are certain to be made, and made once; the values are not read."""
    statements = _certain(root)
    if not statements or _SETS.search(text):
        return []
    return [
        node
        for statement in statements
        for node in ([statement] if statement.type == "variable_assignment" else statement.children)
        if node.type == "variable_assignment" and _set_once(node, text)
    ]


def _certain(root: Node) -> list[Node]:
    found: list[Node] = []
    children = root.children
    for place, child in enumerate(children):
        following = children[place + 1].type if place + 1 < len(children) else ""
        if following == "&":
            continue
        node = child
        while node.type == "list":
            node = node.children[0]
        if node.type in {"variable_assignment", "variable_assignments"}:
            found.append(node)
    return found


def _set_once(assignment: Node, text: str) -> bool:
    name, sign, *value = assignment.children
    if (
        name.type != "variable_name"
        or sign.type != "="
        or len(value) != 1
        or value[0].type == "array"
    ):
        return False
    written = (name.text or b"").decode()
    if written in _OF_BASH:
        return False
    return len(re.findall(rf"(?<![$\w])(?<!\$\{{){written}(?!\w)", text)) == 1
