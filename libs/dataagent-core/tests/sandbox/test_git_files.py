"""Our reading of git's configuration lets nothing pass that git itself reads differently."""

import subprocess

from hypothesis import given, settings
from hypothesis import strategies as st

from dataagent_core.sandbox.git.git_file_checks import is_harmless_config
from tests.counts import examples

HARMLESS = {"core.bare", "remote.url", "user.name"}
SECTIONS = ["[core]", "[CORE]", '[remote "o"]', "[remote.o]", "[user]", "[alias]", "[core]#c"]
STRANGE_SECTIONS = ["[ core ]", '[core "x"]', "[core]bare=1", "\ufeff[core]", '[user "\\\\"]']
KEYS = ["bare", "BARE", "url", "name", "fsmonitor", "st", "name\x0b", "b-are"]
VALUES = ["true", "", "!x", "https://h/p", "ext::x", '"ex""t::x"', "a ; b", "a # b\\", "\\"]
STRANGE_VALUES = ["\\\n fsmonitor = x", '"a\\\nfsmonitor = x"', "x\\\r\nst=y", '"x\ny"', "a\rb"]
ENDS = ["\n", "\r\n", " \n", "\r", "\x0b", "\x0c", "\x85", "\u2028", "\x1c", " # x\n", "\x00\n"]


def lines() -> st.SearchStrategy[str]:
    header = st.tuples(
        st.sampled_from(["", "\t", "#", ";x\n"]), st.sampled_from([*SECTIONS, *STRANGE_SECTIONS])
    )
    setting = st.tuples(
        st.sampled_from(["\t", "", "#", "\x0b"]),
        st.sampled_from(KEYS),
        st.sampled_from([" = ", "=", "", "\r="]),
        st.sampled_from([*VALUES, *STRANGE_VALUES]),
    )
    line = st.tuples(st.one_of(header, setting).map("".join), st.sampled_from(ENDS))
    return st.lists(line.map("".join), min_size=1, max_size=6).map("".join)


@settings(max_examples=examples(100))
@given(lines())
def test_what_we_call_harmless_git_reads_as_harmless(text: str):
    if not is_harmless_config(text, "", "/p/.git", ["/p"]):
        return
    done = subprocess.run(
        ["git", "config", "--file", "-", "--no-includes", "--list", "-z"],
        input=text.encode(),
        capture_output=True,
        check=False,
        env={"PATH": "/usr/local/bin:/usr/bin:/bin"},
    )
    for entry in done.stdout.decode().split("\0") if done.returncode == 0 else ():
        key, _, value = entry.partition("\n")
        section, _, rest = key.partition(".")
        assert not key or f"{section}.{rest.rpartition('.')[2]}" in HARMLESS, text
        assert "::" not in value or not key.endswith("url"), text
