"""What every `sh` reads alike: bash in POSIX mode, dash and busybox.

A script is read with the grammar of bash. `sh` is dash on Debian, to which `$'...'` is a dollar and
a string, `[[` a program, and `&>` two commands. So the script of a shell that is not bash has to
consist of what they agree on, token by token; the rest is asked about.
"""

import re

_NAME = r"[A-Za-z_]\w*"
# Within these a parameter is set off, whatever shell reads it.
_PARAMETER = rf"\$(?:{_NAME}|\{{{_NAME}\}}|[0-9@*#?$!-](?!\w))"
_AGREED = re.compile(
    rf"""(?:
        [\w./:@%,~^*?-]++                       # ordinary characters and patterns
      | (?<![+\w\]])=|(?<=\w)=(?!\()            # an equals sign, not += and not =(
      | \+(?!=)
      | '[^']*+'
      | "(?:[^"\\$`]|\\[^\n]|{_PARAMETER}|\$\()*+"
      | {_PARAMETER}
      | \$\((?!\()
      | \\[^\n]
      | [ \t\n]++
      | \#[^\n]*+
      | ;(?![;&])|;;(?!&) | \|\|(?!&)|\|(?![|&]) | &&|&(?![&>])
      | \((?!\()|\)
      | \{{(?=[ \t\n])|\{{\}}|(?<=[ \t\n;])\}}
      | !(?=[ \t])
      | \[(?!\[)|\](?![=\]])
      | (?<![\w\]])[0-9]?(?:>>?|<)(?![<>&|(])   # to and from a file
      | (?<![\w\]])[0-9]?[<>]&(?:[0-9]|-)(?!\w)
    )*+""",
    re.VERBOSE | re.ASCII,
)
# Words of the language, or builtins, that only some shells have.
_WORDS = re.compile(r"\b(?:function|select|time|coproc|source|declare|typeset|let|shopt|local)\b")


def doubt_about_script(text: str, shell: str) -> str | None:
    """Say why a script cannot be judged as bash where another shell reads it, if so."""
    if _AGREED.fullmatch(text) and not _WORDS.search(text):
        return None
    return f"{shell} may read its script otherwise than bash"
