"""Zip files with a skill: read in memory, and refused with a reason when they may not be unpacked."""

import io
import stat
import struct
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from dataagent_core.config.limits.skills import (
    SKILL_ARCHIVE_BYTES_MAX,
    SKILL_ARCHIVE_ENTRIES_MAX,
)
from dataagent_core.errors import ValidationError
from dataagent_core.skills.skill_archive import read_archive
from dataagent_core.skills.skill_package import PackedFile

SKILL = "---\nname: a\ndescription: b\n---\nc\n"


def pack(files: Mapping[str, str | bytes], **fields: int) -> bytes:
    """Pack files; `fields` are those of each file's entry."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            for field, value in fields.items():
                setattr(entry, field, value)
            archive.writestr(entry, text)
    return data.getvalue()


@pytest.mark.parametrize("top", ["", "my-skill/"])
def test_a_skill_is_read_from_the_top_or_from_its_one_folder(top: str):
    data = pack(
        {
            f"{top}SKILL.md": SKILL,
            f"{top}scripts/": "",
            f"{top}scripts\\run.py": "x",
            "__MACOSX/._SKILL.md": "junk",
            f"{top}.DS_Store": "junk",
        }
    )
    found = read_archive(data)
    assert found.files == {
        "SKILL.md": PackedFile(data=SKILL.encode()),
        "scripts/run.py": PackedFile(data=b"x"),
    }
    assert found.folder_name == (top.rstrip("/") or None)


def test_a_script_stays_executable(tmp_path: Path):
    mode = (stat.S_IFREG | 0o755) << 16
    (tmp_path / "a.zip").write_bytes(pack({"SKILL.md": SKILL, "x.sh": ""}, external_attr=mode))
    assert read_archive(tmp_path / "a.zip").files["x.sh"].executable


def test_of_a_file_without_a_mode_its_first_line_says_whether_it_is_a_program():
    files = {"SKILL.md": SKILL, "run": "#!/bin/sh\n", "read": "# no program\n"}
    # As Windows packs: a bit of DOS, and no mode.
    found = read_archive(pack(files, create_system=0, external_attr=0x20)).files
    assert [path for path, packed in found.items() if packed.executable] == ["run"]
    # A mode that is there counts.
    found = read_archive(pack(files, external_attr=(stat.S_IFREG | 0o644) << 16)).files
    assert not any(packed.executable for packed in found.values())


def encrypted() -> bytes:
    data = bytearray(pack({"SKILL.md": SKILL}))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = data.index(mark) + offset
        data[place : place + 2] = struct.pack("<H", 1)
    return bytes(data)


def doubled() -> bytes:
    return pack({"SKILL.md": SKILL, "SKILL.mD": SKILL}).replace(b"SKILL.mD", b"SKILL.md")


CASES = {
    "parent": (lambda: pack({"../evil.md": "x"}), "'../evil.md' leads out"),
    "inside": (lambda: pack({"a/../../evil.md": "x"}), "leads out"),
    "windows": (lambda: pack({"..\\evil.md": "x"}), "leads out"),
    "absolute": (lambda: pack({"/etc/passwd": "x"}), "leads out"),
    "drive": (lambda: pack({"C:/x": "x"}), "leads out"),
    "control": (lambda: pack({"a\x01b": "x"}), "not the path of a file"),
    "long": (lambda: pack({"a" * 300: "x"}), "not the path of a file"),
    "link": (
        lambda: pack({"SKILL.md": SKILL}, external_attr=(stat.S_IFLNK | 0o777) << 16),
        "the link 'SKILL.md'",
    ),
    "fifo": (
        lambda: pack({"SKILL.md": SKILL}, external_attr=stat.S_IFIFO << 16),
        "which is not a file",
    ),
    "password": (encrypted, "password"),
    "method": (
        lambda: pack({"SKILL.md": SKILL}).replace(b"\x08\x00", b"\x0c\x00"),
        "other than deflate",
    ),
    "bomb": (lambda: pack({"SKILL.md": SKILL, "x": b"\0" * 9_000_000}), "zip bomb"),
    "large": (lambda: pack({"x": b"\0" * 10_000_001}), "zip bomb"),
    "total": (
        lambda: pack({f"{n}": bytes([n]) * 999_999 for n in range(51)} | {"SKILL.md": SKILL}),
        "50,000,000 are possible",
    ),
    "entries": (
        lambda: pack({f"{n}/": "" for n in range(SKILL_ARCHIVE_ENTRIES_MAX + 1)}),
        "more than 1,000 entries",
    ),
    "directory": (lambda: b"PK\x01\x02" * 20_000, "more than 1,000 entries"),
    "files": (lambda: pack({f"{n}": "" for n in range(501)}), "501 files"),
    "deep": (lambda: pack({"a/" * 9 + "x": ""}), "8 folders deep"),
    "twice": (doubled, "twice"),
    "both": (lambda: pack({"SKILL.md": SKILL, "a/b": "", "a/b/c": ""}), "and the folder of"),
    "nothing": (lambda: pack({}), "no SKILL.md"),
    "elsewhere": (lambda: pack({"a/b/SKILL.md": SKILL}), "no SKILL.md"),
    "two": (lambda: pack({"a/SKILL.md": SKILL, "b/SKILL.md": SKILL}), "one skill at a time"),
    "heavy": (lambda: bytes(SKILL_ARCHIVE_BYTES_MAX + 1), "more than 50,000,000 bytes"),
    "text": (lambda: b"not a zip", "not a zip file"),
    "torn": (lambda: pack({"SKILL.md": SKILL * 99})[:-20], "not a zip file"),
    "flipped": (
        lambda: pack({"SKILL.md": SKILL * 99}).replace(b"SKILL.md", b"SKILL.MD", 1),
        "broken",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_zip_file_that_may_not_be_unpacked_says_why(case: str):
    make, words = CASES[case]
    with pytest.raises(ValidationError, match=words):
        read_archive(make())
