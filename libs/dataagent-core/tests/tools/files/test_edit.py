"""`edit_file` and `multi_edit` on real files."""

import stat
from pathlib import Path

import pytest
from file_tools import Run
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.errors import ConflictError, NotFoundError, ValidationError
from dataagent_core.tools.files.read_ledger import ReadLedger
from dataagent_core.tools.files.text_codec import decode


@pytest.mark.requirement("S2-7.2.1-diff")
def test_the_answer_names_the_strategy_and_shows_the_diff(run: Run, workspace: Path):
    (workspace / "a.txt").write_text("one\ntwo\nthree\n")
    run("read_file", file_path="/a.txt")
    answer = run("edit_file", file_path="/a.txt", old_string="  two", new_string="  2")
    assert answer == (
        "Edited /a.txt: 1 place, match: line-trimmed, +1 -1 lines.\n"
        "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three"
    )


@pytest.mark.requirement("F3-1")
@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"\xef\xbb\xbfone\r\ntwo", b"\xef\xbb\xbfone\r\n2"),
        ("one\ntwo\n".encode("utf-16"), "one\n2\n".encode("utf-16")),
        (b"caf\xe9\ntwo\n", b"caf\xe9\n2\n"),
        (b"\tone \x0c\ntwo", b"\tone \x0c\n2"),
    ],
)
def test_encoding_marks_and_line_ends_stay(run: Run, workspace: Path, before: bytes, after: bytes):
    (workspace / "a").write_bytes(before)
    run("read_file", file_path="a")
    run("edit_file", file_path="a", old_string="two", new_string="2")
    assert (workspace / "a").read_bytes() == after


def test_mode_bits_and_links_stay(run: Run, workspace: Path):
    (workspace / "real.sh").write_text("one")
    (workspace / "real.sh").chmod(0o755)
    (workspace / "link").symlink_to("real.sh")
    run("read_file", file_path="/link")
    run("edit_file", file_path="/link", old_string="one", new_string="two")
    assert (workspace / "link").is_symlink()
    assert (workspace / "real.sh").read_text() == "two"
    assert stat.S_IMODE((workspace / "real.sh").stat().st_mode) == 0o755


def test_a_character_the_file_cannot_hold_is_refused(run: Run, workspace: Path):
    (workspace / "a").write_bytes(b"caf\xe9")
    run("read_file", file_path="a")
    with pytest.raises(ValidationError, match="latin-1"):
        run("edit_file", file_path="a", old_string="caf", new_string="茶")
    assert (workspace / "a").read_bytes() == b"caf\xe9"


@pytest.mark.parametrize("data", [b"a\0b", b"\x80\x81 no text", b"\xff\xfea"])
def test_what_is_no_text_is_refused(run: Run, workspace: Path, data: bytes):
    (workspace / "a").write_bytes(data)
    with pytest.raises(ValidationError, match="text"):
        run("read_file", file_path="a")


@given(
    st.binary(max_size=60) | st.text().map(str.encode) | st.text().map(lambda t: t.encode("utf-16"))
)
def test_what_can_be_read_is_written_back_byte_for_byte(data: bytes):
    try:
        decoded = decode(data, "/a")
    except (ValidationError, UnicodeEncodeError):
        return
    assert decoded.encode(decoded.text) == data


def test_a_file_that_was_not_read_is_not_edited(run: Run, workspace: Path):
    (workspace / "a").write_text("one")
    with pytest.raises(ConflictError, match="read_file on it first"):
        run("edit_file", file_path="a", old_string="one", new_string="two")


@pytest.mark.requirement("F3-1")
def test_a_file_that_changed_since_it_was_read_is_stale(run: Run, workspace: Path):
    (workspace / "a").write_text("one")
    run("read_file", file_path="a")
    (workspace / "a").write_text("one and more")
    with pytest.raises(ConflictError, match="changed since it was read"):
        run("edit_file", file_path="a", old_string="one", new_string="two")
    run("read_file", file_path="a")
    run("edit_file", file_path="a", old_string="one", new_string="two")
    assert (workspace / "a").read_text() == "two and more"


def test_edits_may_follow_each_other_without_reading_again(run: Run, workspace: Path):
    run("write_file", file_path="a", content="one")
    run("edit_file", file_path="a", old_string="one", new_string="two")
    run("edit_file", file_path="a", old_string="two", new_string="three")
    assert (workspace / "a").read_text() == "three"


def test_a_missing_file_is_not_edited(run: Run):
    with pytest.raises(NotFoundError, match="write_file"):
        run("edit_file", file_path="/none", old_string="a", new_string="b")


@pytest.mark.requirement("S2-7.2.3-order")
def test_several_edits_are_made_in_order_on_the_result(run: Run, workspace: Path):
    run("write_file", file_path="a", content="one\n")
    edits = [
        {"old_string": "one", "new_string": "two two"},
        {"old_string": "two", "new_string": "three", "replace_all": True},
    ]
    answer = run("multi_edit", file_path="a", edits=edits)
    assert (workspace / "a").read_text() == "three three\n"
    assert "3 places, match: exact" in answer


@pytest.mark.requirement("S2-7.2.3-atomic")
@pytest.mark.requirement("F3-1")
def test_one_failing_edit_of_several_leaves_the_file_alone(run: Run, workspace: Path):
    run("write_file", file_path="a", content="one\n")
    edits = [
        {"old_string": "one", "new_string": "two"},
        {"old_string": "nine", "new_string": "ten"},
    ]
    with pytest.raises(ValidationError, match="Edit 2 of 2 failed, so none was made"):
        run("multi_edit", file_path="a", edits=edits)
    assert (workspace / "a").read_text() == "one\n"


def test_edits_that_undo_each_other_are_refused(run: Run):
    run("write_file", file_path="a", content="one\n")
    edits = [
        {"old_string": "one", "new_string": "two"},
        {"old_string": "two", "new_string": "one"},
    ]
    with pytest.raises(ValidationError, match="undo"):
        run("multi_edit", file_path="a", edits=edits)


def test_no_edits_and_too_many_are_refused(run: Run):
    run("write_file", file_path="a", content="one\n")
    for count in (0, 101):
        with pytest.raises(ValidationError, match="1 to 100"):
            run("multi_edit", file_path="a", edits=[{"old_string": "a", "new_string": "b"}] * count)


def test_a_new_process_recalls_what_the_conversation_saw(
    run: Run, workspace: Path, ledger: ReadLedger
):
    later = ReadLedger()
    artifacts = [
        ledger.record("/a", b"one"),
        None,
        {"other": 1},
        ledger.record_removal("/b"),
        "text",
    ]
    later.recall(artifacts)
    later.check("/a", b"one")
    for path, data in (("/a", b"two"), ("/b", b"")):
        with pytest.raises(ConflictError):
            later.check(path, data)
