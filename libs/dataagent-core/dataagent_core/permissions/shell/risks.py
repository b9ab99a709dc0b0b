"""Options with which an ordinary program runs or writes something else.

A wildcard in an allowing rule does not cover them; the list is for programs people allow easily.
GNU and git accept any unambiguous beginning of a long option, so beginnings count.
"""

from dataclasses import dataclass

from dataagent_core.permissions.shell.word import Word


@dataclass(frozen=True, slots=True)
class Risks:
    """`letters` may stand anywhere in a group of short options; `words` are compared whole."""

    letters: str = ""
    words: frozenset[str] = frozenset()


def _risks(letters: str = "", words: str = "") -> Risks:
    return Risks(letters, frozenset(words.split()))


_INTERPRETER = _risks("ceEpr", "--eval --print --require --exec --import --loader")
_GIT = _risks(
    "O",
    "-c --config-env --exec-path --upload-pack --receive-pack --output --ext-diff --textconv "
    "--filters --open-files-in-pager --exec --show-signature --git-dir --work-tree --super-prefix",
)

RISKS: dict[str, Risks] = {
    "find": _risks("", "-delete -fprint -fprint0 -fprintf -fls"),
    "sort": _risks("oST", "--output --compress-program --temporary-directory --files0-from"),
    "tree": _risks("oR", "--output"),
    "file": _risks("Cm", "--compile --magic-file"),
    "date": _risks("", "-s --set"),
    "rg": _risks("z", "--pre --hostname-bin --search-zip"),
    "fd": _risks("xX", "--exec --exec-batch"),
    "git": _GIT,
    "tar": _risks(
        "IF",
        "--to-command --use-compress-program --checkpoint-action --info-script "
        "--new-volume-script --rsh-command --rmt-command",
    ),
    "sed": _risks("i", "--in-place --expression --file"),
    "curl": _risks("oOTKJ", "--output --remote-name --upload-file --config --output-dir"),
    "wget": _risks("OePi", "--output-document --post-file --body-file --use-askpass --execute"),
    "rsync": _risks("e", "--rsh --rsync-path"),
    "ssh": _risks("oF", ""),
    "scp": _risks("oFS", ""),
    "zip": _risks("T", "-TT --unzip-command"),
    "go": _risks("", "-exec -toolexec -overlay"),
    "cargo": _risks("", "--config"),
    "make": _risks("f", "--eval --file --makefile"),
    "docker": _risks("v", "--volume --mount --privileged --device --pid --net --network"),
    "man": _risks("PH", "--pager --html"),
    "vim": _risks("cS", "--cmd"),
    "jq": _risks("f", "--from-file"),
} | dict.fromkeys(
    ("python", "python3", "node", "perl", "ruby", "php", "lua", "deno", "bun"), _INTERPRETER
)


def risky_places(words: tuple[Word, ...]) -> frozenset[int]:
    """List where the risky options of a command stand."""
    risks = RISKS.get(words[0].text)
    if risks is None:
        return frozenset()
    return frozenset(
        place for place, word in enumerate(words) if place and _is_risky(word.text, risks)
    )


def _is_risky(text: str, risks: Risks) -> bool:
    option = text.partition("=")[0]
    if option.startswith("--"):
        return len(option) > 2 and any(risk.startswith(option) for risk in risks.words)  # noqa: PLR2004 (`--`)
    if option in risks.words:
        return True
    return option.startswith("-") and any(letter in option[1:] for letter in risks.letters)
