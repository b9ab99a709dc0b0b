"""A skill with all its files as values: what a folder, a zip file and a row all become.

Where the bytes come from is left to `skill_folder.py`, `skill_archive.py` and the server's rows.
"""

import dataclasses
import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from dataagent_core.config.limits import PATH_BYTES_MAX, PATH_NAME_BYTES_MAX
from dataagent_core.config.limits.skills import (
    SKILL_BYTES_MAX,
    SKILL_FILES_DEEP_MAX,
    SKILL_FILES_MAX,
    SKILL_ONE_FILE_BYTES_MAX,
)
from dataagent_core.errors import FrontMatterError, ValidationError
from dataagent_core.skills.skill import Skill, SkillFile, SkillScope
from dataagent_core.skills.skill_file import SKILL_FILE, parse_skill
from dataagent_core.skills.source import SkillProblem

# `skill.md` is accepted too, as other readers do.
NAMES_OF_SKILL_FILE: Final = (SKILL_FILE, "skill.md")
_PROGRAM: Final = b"#!"
# What the archive of a repository has after its name (a branch, a release, a commit), and a copy.
_COPY_MARK: Final = re.compile(
    r"([-_](main|master|dev|develop|trunk|head|latest|release[\w.+-]*|v?\d[\w.+-]*|[0-9a-f]{7,40})"
    r"|[ ]?\(\d+\))?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PackedFile:
    """The content of one file of a skill."""

    data: bytes
    executable: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadSkill:
    """What became of reading one skill; it may be used if `is_usable`."""

    # `None` if its front matter cannot be read.
    skill: Skill | None
    problems: tuple[SkillProblem, ...] = ()

    @property
    def is_usable(self) -> bool:
        """Whether there is a skill and nothing but warnings."""
        return self.skill is not None and all(problem.is_warning for problem in self.problems)


def find_skill_file(paths: Iterable[str]) -> str:
    """Return which of some paths is SKILL.md."""
    names = set(paths)
    for name in NAMES_OF_SKILL_FILE:
        if name in names:
            return name
    raise ValidationError(
        "There is no SKILL.md. A skill is a folder with a SKILL.md directly in it."
    )


def is_program(data: bytes) -> bool:
    """Say whether a file whose mode is not known is to be run: it names its interpreter."""
    return data.startswith(_PROGRAM)


def describe_file(path: str, packed: PackedFile) -> SkillFile:
    """Describe a file by its length and SHA-256."""
    return SkillFile(
        path=path,
        size_bytes=len(packed.data),
        sha256=hashlib.sha256(packed.data).hexdigest(),
        executable=packed.executable,
    )


def digest_skill(skill_md: bytes, files: Iterable[SkillFile]) -> str:
    """Compute the SHA-256 of a SKILL.md and of the paths and contents of all other files."""
    digest = hashlib.sha256(hashlib.sha256(skill_md).digest())
    for file in sorted(files, key=lambda one: one.path):
        digest.update(f"{file.path}\0{file.sha256}\0{file.executable}\n".encode())
    return digest.hexdigest()


def assemble_skill(
    skill_md: bytes,
    files: Iterable[SkillFile],
    *,
    folder_name: str | None = None,
    is_archive: bool = False,
    scope: SkillScope = SkillScope.TENANT,
) -> ReadSkill:
    """Read a SKILL.md together with the description of its other files.

    The folder must have the skill's name; in an archive its name may be followed by a version
    or a branch, or be written in capitals (`NAME-main`).
    """
    listed = tuple(sorted(files, key=lambda one: one.path))
    try:
        skill, problems = parse_skill(skill_md, folder_name=folder_name, scope=scope, files=listed)
        if is_archive and folder_name is not None and _is_copy(folder_name, skill.name):
            skill, problems = parse_skill(skill_md, scope=scope, files=listed)
    except FrontMatterError as error:
        problem = SkillProblem(
            name=folder_name or "",
            message=str(error),
            path=SKILL_FILE,
            line=error.line,
            column=error.column,
        )
        return ReadSkill(skill=None, problems=(problem,))
    return ReadSkill(
        skill=dataclasses.replace(skill, digest=digest_skill(skill_md, listed)),
        problems=tuple(dataclasses.replace(problem, path=SKILL_FILE) for problem in problems),
    )


def read_package(
    files: Mapping[str, PackedFile],
    *,
    folder_name: str | None = None,
    is_archive: bool = False,
    scope: SkillScope = SkillScope.TENANT,
) -> ReadSkill:
    """Read a skill of which all files are at hand; `ValidationError` if they are too many."""
    check_sizes({path: len(packed.data) for path, packed in files.items()})
    name = find_skill_file(files)
    others = [describe_file(path, packed) for path, packed in files.items() if path != name]
    return assemble_skill(
        files[name].data, others, folder_name=folder_name, is_archive=is_archive, scope=scope
    )


def _is_copy(folder_name: str, name: str) -> bool:
    """Say whether a folder is called as the archive of a skill's repository is, or a copy."""
    before, found, after = folder_name.lower().partition(name)
    return bool(found) and not before and _COPY_MARK.fullmatch(after) is not None


def check_sizes(sizes: Mapping[str, int]) -> None:
    """Refuse a skill with too many, too deep or too large files, or that no folder can hold."""
    if len(sizes) > SKILL_FILES_MAX:
        raise ValidationError(
            f"The skill has {len(sizes):,} files, {SKILL_FILES_MAX:,} are possible. Remove what it "
            "does not need."
        )
    for path, size in sizes.items():
        if path.count("/") > SKILL_FILES_DEEP_MAX:
            raise ValidationError(
                f"{path!r:.200} is more than {SKILL_FILES_DEEP_MAX} folders deep in the skill. "
                "Move it up."
            )
        if size > SKILL_ONE_FILE_BYTES_MAX:
            raise ValidationError(
                f"{path!r:.200} has {size:,} bytes, {SKILL_ONE_FILE_BYTES_MAX:,} are possible for "
                "a file of a skill. Make it smaller or fetch it when it is needed."
            )
    _check_paths(sizes)
    total = sum(sizes.values())
    if total > SKILL_BYTES_MAX:
        raise ValidationError(
            f"The skill has {total:,} bytes, {SKILL_BYTES_MAX:,} are possible. Remove what it does "
            "not need."
        )


def _check_paths(paths: Iterable[str]) -> None:
    """Refuse what cannot be written as files below one folder."""
    known = set(paths)
    for path in known:
        parts = path.split("/")
        # A name that is no text, as of a disk of another system, is not printable either.
        is_odd = any(not part.isprintable() for part in parts)
        if (
            is_odd
            or _is_long(path, PATH_BYTES_MAX)
            or any(_is_long(part, PATH_NAME_BYTES_MAX) for part in parts)
        ):
            raise ValidationError(f"{path!r:.200} is not the path of a file. Rename it.")
        above = next((up for up in accumulate(parts[:-1], "{}/{}".format) if up in known), None)
        if above is not None:
            raise ValidationError(
                f"{above!r:.200} is a file and the folder of {path!r:.200}. Rename one of them."
            )


def _is_long(name: str, bytes_max: int) -> bool:
    return len(name.encode()) > bytes_max
