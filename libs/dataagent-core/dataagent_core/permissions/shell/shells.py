"""`bash -c TEXT`, `bash <<EOF`, `bash FILE`: where a shell takes its script from."""

from dataagent_core.permissions.shell.word import Word

_FLAGS = frozenset("aefhkmnsuvxBCHPc")
# The option and the file.
_CHECK_WORDS = 2
_LONG_FLAGS = frozenset({"--norc", "--noprofile", "--posix"})


def only_checks(behind: list[Word]) -> bool:
    """Say whether a shell reads a file without running it: `bash -n FILE`."""
    if len(behind) != _CHECK_WORDS or behind[0].text != "-n":
        return False
    return behind[1].known and behind[1].text[:1] not in {"-", "+", ""}


def tells_version(behind: list[Word]) -> bool:
    """Say whether a shell is only asked for its version."""
    return behind == [Word("--version")]


def script_of(words: list[Word], stdin: Word | None) -> tuple[Word | None, str | None]:
    """Return the script's text, or nothing for a file; or why neither can be told."""
    rest, takes_text, odd = _after_options(words)
    if odd is not None:
        return None, f"what {words[0]} does with {odd} is not looked into"
    if takes_text:
        return (rest[0], None) if rest else (None, f"{words[0]} -c has no text")
    reads_input = any(word.text == "-s" for word in words)
    if rest and not reads_input and rest[0].text not in {"-", "/dev/stdin"}:
        return None, None
    if stdin is None or not stdin.known:
        return None, f"what {words[0]} reads and runs cannot be known"
    return stdin, None


def _after_options(words: list[Word]) -> tuple[list[Word], bool, Word | None]:
    """Return the words behind the options, whether -c is there, and an option nobody knows."""
    takes_text = False
    place = 1
    while place < len(words):
        word = words[place]
        if word.text == "--":
            place += 1
            break
        if word.known and (word.text[:1] not in {"-", "+"} or word.text == "-"):
            break
        if word.text in {"-o", "+o"}:
            place += 1
        elif word.text not in _LONG_FLAGS:
            if not word.known or not set(word.text[1:]) <= _FLAGS:
                return [], False, word
            takes_text = takes_text or "c" in word.text
        place += 1
    return words[place:], takes_text, None
