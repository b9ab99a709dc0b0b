"""Lines that only look are seldom asked about, with a read-only sandbox behind the judge."""

import pytest
from honest_lines import HONEST
from judging import decide

ASKED_SHARE_MAX = 0.05


def test_at_most_one_honest_line_in_twenty_is_asked_about():
    asked = [line for line in HONEST if decide(line) != "allow"]
    assert len(HONEST) >= 700
    assert len(asked) <= ASKED_SHARE_MAX * len(HONEST), asked


@pytest.mark.parametrize(
    "line",
    [
        "awk '$3 > 100' a",
        "awk -F ',' '{print $1}' a",
        "sed -n '/a/,/b/p' a",
        "sed -e 's/a/b/' a",
        "git log -GTODO",
        "git branch --contains HEAD",
        "node -v",
        "jq .environment a",
    ],
)
def test_what_the_docs_list_as_allowed_is(line: str):
    assert decide(line) == "allow"


def test_no_honest_line_is_refused():
    assert [line for line in HONEST if decide(line) == "deny"] == []
