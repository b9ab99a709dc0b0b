"""The manifest and the tests agree, in both directions."""

import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import settings

from tests.counts import default_examples
from tests.requirements import REQUIREMENTS
from tests.requirements.marks import MarkedTest, UnreadableMarkError, marked_tests, marks_in
from tests.requirements.s2.headings import HEADINGS, TASKS, WITHOUT_ENTRY

ROOT = Path(__file__).parents[1]
EXAMPLES_MIN = 100


@pytest.fixture(scope="module")
def marks() -> tuple[MarkedTest, ...]:
    return marked_tests()


def test_every_numbered_property_of_the_documents_is_listed():
    ids = {entry.id for entry in REQUIREMENTS}
    expected = {
        f"{document}-{number}"
        for document, last in (("S0", 56), ("S3", 17), ("S4", 5))
        for number in range(1, last + 1)
    }
    assert expected <= ids


def test_every_section_of_s2_has_an_entry_or_a_reason_why_it_has_none():
    ids = {entry.id.removeprefix("S2-") for entry in REQUIREMENTS if entry.id.startswith("S2-")}

    def has_entry(heading: str) -> bool:
        within = re.compile(rf"{re.escape(TASKS.get(heading, heading))}(?![0-9])")
        return any(within.match(name) for name in ids)

    headings = HEADINGS.split()
    assert {heading for heading in headings if not has_entry(heading)} == set(WITHOUT_ENTRY)
    numbers = {number for name in ids for number in re.findall(r"^[A-D0-9]+(?:\.[0-9]+)*", name)}
    assert numbers <= set(headings)


def test_what_is_planned_of_s2_names_the_topic_that_brings_it():
    entries = [entry for entry in REQUIREMENTS if entry.id.startswith("S2-")]
    assert [entry.id for entry in entries if (entry.status == "planned") != bool(entry.topic)] == []


def test_no_id_is_listed_twice():
    counts = Counter(entry.id for entry in REQUIREMENTS)
    assert [name for name, count in counts.items() if count > 1] == []


def test_every_implemented_requirement_has_a_test(marks: tuple[MarkedTest, ...]):
    shown = {mark.requirement for mark in marks}
    missing = [
        f"{entry.id}: {entry.text}"
        for entry in REQUIREMENTS
        if entry.status == "implemented" and entry.id not in shown
    ]
    assert not missing, "\n".join(missing)


def test_every_mark_names_a_requirement(marks: tuple[MarkedTest, ...]):
    ids = {entry.id for entry in REQUIREMENTS}
    assert [mark for mark in marks if mark.requirement not in ids] == []


def test_a_planned_requirement_has_no_test_yet(marks: tuple[MarkedTest, ...]):
    planned = {entry.id for entry in REQUIREMENTS if entry.status == "planned"}
    assert [mark for mark in marks if mark.requirement in planned] == []


def test_numbered_properties_are_shown_by_at_least_a_hundred_examples(
    marks: tuple[MarkedTest, ...],
):
    thorough = {
        mark.requirement
        for mark in marks
        if mark.is_property and (mark.examples is None or mark.examples >= EXAMPLES_MIN)
    }
    missing = [e.id for e in REQUIREMENTS if e.by_property and e.id not in thorough]
    assert not missing, " ".join(missing)


def test_the_run_of_ci_draws_at_least_a_hundred_examples_and_a_property_test_obeys():
    asked = re.findall(r"DATAAGENT_TEST_EXAMPLES=(\d+)", (ROOT / "Makefile").read_text())
    assert [int(number) >= EXAMPLES_MIN for number in asked] == [True]
    assert "step test-full" in (ROOT / ".ci" / "run").read_text()
    assert settings().max_examples == default_examples()


MARK = 'pytest.mark.requirement("S0-1")'


@pytest.mark.parametrize(
    ("source", "is_property", "examples"),
    [
        (f"@{MARK}\ndef test_a(): ...", False, None),
        (f"@{MARK}\nasync def test_a(): ...", False, None),
        (f"class TestA:\n  @{MARK}\n  def test_a(self): ...", False, None),
        (f"@{MARK}\n@given(st.text())\ndef test_a(): ...", True, None),
        (f"@{MARK}\n@hypothesis.given()\n@settings(max_examples=7)\ndef test_a(): ...", True, 7),
    ],
)
def test_a_mark_is_read_from_the_source(source: str, is_property: bool, examples: int | None):
    expected = MarkedTest("S0-1", "t.py::test_a", is_property, examples)
    assert marks_in(source, "t.py") == [expected]


@pytest.mark.parametrize(
    "source",
    [
        f"pytestmark = {MARK}",
        f"@{MARK}\nclass TestA: ...",
        f"@{MARK}\ndef helper(): ...",
        "@pytest.mark.requirement(NAME)\ndef test_a(): ...",
        f"@{MARK}\n@given()\n@settings(max_examples=FEW)\ndef test_a(): ...",
    ],
)
def test_a_mark_that_cannot_be_read_is_refused(source: str):
    with pytest.raises(UnreadableMarkError):
        marks_in(source, "t.py")
