"""Skills that are folders: one skill, the skills of one tier, and the terminal's three tiers.

Nothing outside a skill's folder is read: links are not followed, and one that leads out is an
error. The rules of SKILL.md are in `skill_check.py`; writing folders is in `skill_writer.py`.
"""

import asyncio
import dataclasses
import hashlib
import os
import stat
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from dataagent_core.config.files.project_folder import is_in_project
from dataagent_core.config.limits.skills import (
    SKILL_FILES_DEEP_MAX,
    SKILL_FILES_MAX,
    SKILL_ONE_FILE_BYTES_MAX,
    SKILL_STAMP_NS,
    SKILLS_OF_TIER_MAX,
    SYSTEM_TIERS_KEPT_MAX,
)
from dataagent_core.errors import ValidationError
from dataagent_core.skills.skill import Skill, SkillScope
from dataagent_core.skills.skill_package import (
    PackedFile,
    ReadSkill,
    assemble_skill,
    check_sizes,
    describe_file,
    find_skill_file,
)
from dataagent_core.skills.source import SkillProblem, SkillSet
from dataagent_core.skills.tiers import TenantSkillConfig, list_available_skills

_READ = os.O_RDONLY | os.O_CLOEXEC
_LIST = _READ | os.O_DIRECTORY
# What a file had when it was read: path, length, times, inode and mode.
_Stamp = tuple[tuple[str, int, int, int, int, int], ...]


@dataclass(frozen=True, slots=True)
class _Scan:
    """The files of a folder as they are, and what does not belong there."""

    stamp: _Stamp
    problems: tuple[SkillProblem, ...] = ()

    @property
    def sizes(self) -> dict[str, int]:
        return {entry[0]: entry[1] for entry in self.stamp}

    @property
    def newest_ns(self) -> int:
        return max((max(entry[2], entry[3]) for entry in self.stamp), default=0)


def load_skill(folder: Path, scope: SkillScope = SkillScope.TENANT) -> ReadSkill:
    """Read the skill of one folder."""
    return _read(folder, scope, _scan(folder))


def load_folder(path: Path, scope: SkillScope) -> SkillSet:
    """Read the skills of one tier, one in each folder of `path`; none if there is no `path`."""
    return FolderTier(path, scope).load()


def read_folder_files(folder: Path) -> dict[str, PackedFile]:
    """Read all files of a skill's folder; `ValidationError` if one may not belong to it."""
    scan = _scan(folder)
    for problem in scan.problems:
        if not problem.is_warning:
            raise ValidationError(problem.message)
    check_sizes(scan.sizes)
    return {path: read_inside(folder, path) for path in scan.sizes}


def _scan(folder: Path) -> _Scan:
    if folder.is_symlink():
        message = (
            f"{folder.name!r:.200} is a link, and the folder of a skill must be there itself. Copy "
            "it with `dataagent skills install`."
        )
        return _Scan((), (SkillProblem(name=folder.name, message=message),))
    entries: list[tuple[str, int, int, int, int, int]] = []
    problems: list[SkillProblem] = []
    waiting = [""]
    folders = 0
    while waiting and len(entries) <= SKILL_FILES_MAX and folders <= SKILL_FILES_MAX:
        prefix = waiting.pop()
        folders += 1
        with os.scandir(folder / prefix) as listing:
            for entry in sorted(listing, key=lambda one: one.name):
                path = f"{prefix}{entry.name}"
                if entry.name.startswith(".") or entry.name == "__pycache__":
                    continue
                if entry.is_symlink():
                    problems.append(_describe_link(folder, path))
                elif entry.is_dir(follow_symlinks=False):
                    if path.count("/") <= SKILL_FILES_DEEP_MAX:
                        waiting.append(f"{path}/")
                elif entry.is_file(follow_symlinks=False):
                    node = entry.stat(follow_symlinks=False)
                    times = (node.st_mtime_ns, node.st_ctime_ns)
                    entries.append((path, node.st_size, *times, node.st_ino, node.st_mode))
    return _Scan(tuple(entries), tuple(problems))


def _leads_out(name: str, path: str) -> SkillProblem:
    message = f"{path!r:.200} is a link that leads out of the skill's folder. Copy the file there."
    return SkillProblem(name=name, message=message, path=path)


def _describe_link(folder: Path, path: str) -> SkillProblem:
    target = Path(os.path.realpath(folder / path))
    if not target.is_relative_to(os.path.realpath(folder)):
        return _leads_out(folder.name, path)
    message = f"{path!r:.200} is a link, which does not belong to a skill. Copy the file there."
    return SkillProblem(name=folder.name, message=message, path=path, is_warning=True)


def _read(folder: Path, scope: SkillScope, scan: _Scan) -> ReadSkill:
    read = _read_files(folder, scope, scan)
    problems = (dataclasses.replace(problem, folder=folder) for problem in read.problems)
    return ReadSkill(skill=read.skill, problems=tuple(problems))


def _read_files(folder: Path, scope: SkillScope, scan: _Scan) -> ReadSkill:
    if scan.problems and not scan.stamp:
        return ReadSkill(skill=None, problems=scan.problems)
    try:
        check_sizes(scan.sizes)
        name = find_skill_file(scan.sizes)
        skill_md = read_inside(folder, name).data
        others = [
            describe_file(path, read_inside(folder, path)) for path in scan.sizes if path != name
        ]
    except (ValidationError, OSError) as error:
        text = str(error) if isinstance(error, ValidationError) else _describe_os_error(error)
        problem = SkillProblem(name=folder.name, message=text)
        return ReadSkill(skill=None, problems=(*scan.problems, problem))
    result = assemble_skill(skill_md, others, folder_name=folder.name, scope=scope)
    skill = result.skill and dataclasses.replace(result.skill, folder=folder)
    return ReadSkill(skill=skill, problems=(*scan.problems, *result.problems))


def _describe_os_error(error: OSError) -> str:
    return f"The skill cannot be read: {error.strerror or error}. Make its files readable."


def read_inside(folder: Path, path: str) -> PackedFile:
    """Read one file, behind no link and no more than a file of a skill may have."""
    descriptor = _open_inside(folder, path)
    with os.fdopen(descriptor, "rb") as file:
        mode = os.fstat(descriptor).st_mode
        if not stat.S_ISREG(mode):
            raise ValidationError(f"{path!r:.200} is not a file. Remove it from the skill.")
        return PackedFile(
            data=file.read(SKILL_ONE_FILE_BYTES_MAX + 1), executable=bool(mode & stat.S_IXUSR)
        )


def _open_inside(folder: Path, path: str) -> int:
    *above, name = path.split("/")
    at = os.open(folder, _LIST)
    try:
        for part in above:
            outer, at = at, os.open(part, _LIST | os.O_NOFOLLOW, dir_fd=at)
            os.close(outer)
        # A pipe would wait for whoever writes into it.
        return os.open(name, _READ | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=at)
    finally:
        os.close(at)


class FolderTier:
    """The skills of one tier's folder; reads again only those whose files changed."""

    def __init__(
        self, path: Path, scope: SkillScope, *, clock_ns: Callable[[], int] = time.time_ns
    ) -> None:
        self.path = path
        self.scope = scope
        self._clock_ns = clock_ns
        self._known: dict[str, tuple[_Stamp, ReadSkill]] = {}

    def load(self) -> SkillSet:
        """Return the skills as they are now. Blocks: call it off the loop."""
        if self.scope is SkillScope.PROJECT and not is_in_project(self.path):
            message = (
                f"{str(self.path)!r:.200} is a link that leads out of the project. Copy its skills "
                "there."
            )
            return SkillSet(problems=(SkillProblem(name=self.path.name, message=message),))
        try:
            names = sorted(
                entry.name
                for entry in os.scandir(self.path)
                if entry.is_dir() and not entry.name.startswith((".", "__"))
            )
        except FileNotFoundError:
            return SkillSet()
        except OSError as error:
            problem = SkillProblem(name=self.path.name, message=_describe_os_error(error))
            return SkillSet(problems=(problem,))
        problems: list[SkillProblem] = []
        if len(names) > SKILLS_OF_TIER_MAX:
            message = (
                f"{str(self.path)!r:.200} has {len(names):,} skills, {SKILLS_OF_TIER_MAX:,} are "
                "read. Remove those nobody uses."
            )
            problems.append(SkillProblem(name=self.path.name, message=message))
            names = names[:SKILLS_OF_TIER_MAX]
        read = {name: self._load_one(name) for name in names}
        self._known = {name: known for name, known in self._known.items() if name in read}
        problems += _find_doubles(self.path, read)
        problems += [problem for one in read.values() for problem in one.problems]
        skills = tuple(one.skill for one in read.values() if one.skill and one.is_usable)
        return SkillSet(
            skills=skills, problems=tuple(problems), digest=digest_set(skills, problems)
        )

    def _load_one(self, name: str) -> ReadSkill:
        folder = self.path / name
        before_ns = self._clock_ns()
        try:
            scan = _scan(folder)
        except OSError as error:
            problem = SkillProblem(name=name, message=_describe_os_error(error))
            return ReadSkill(skill=None, problems=(problem,))
        known = self._known.get(name)
        if known is not None and known[0] == scan.stamp and not scan.problems:
            return known[1]
        read = _read(folder, self.scope, scan)
        # A file changed just now may change again within the same time stamp.
        if scan.newest_ns < before_ns - SKILL_STAMP_NS:
            self._known[name] = (scan.stamp, read)
        else:
            self._known.pop(name, None)
        return read


def _find_doubles(tier: Path, read: Mapping[str, ReadSkill]) -> list[SkillProblem]:
    """Name the folders of one tier that call their skill the same."""
    folders: dict[str, list[str]] = {}
    for folder, one in read.items():
        if one.skill is not None and one.skill.name:
            folders.setdefault(one.skill.name, []).append(folder)
    return [
        SkillProblem(
            name=name,
            folder=tier,
            message=(
                f"The folders {', '.join(map(repr, sharing))} all call their skill {name!r}. Give "
                "each skill of a tier its own name."
            ),
        )
        for name, sharing in folders.items()
        if len(sharing) > 1
    ]


def digest_set(skills: Iterable[Skill], problems: Iterable[SkillProblem] = ()) -> str:
    """Compute what changes when any skill or problem of a set does."""
    digest = hashlib.sha256()
    for skill in skills:
        digest.update(f"{skill.scope}\0{skill.name}\0{skill.digest}\n".encode())
    for problem in problems:
        digest.update(f"{problem.name}\0{problem.message}\n".encode())
    return digest.hexdigest()


def _find_tier(path: Path, scope: SkillScope) -> FolderTier:
    return _share_tier(path) if scope is SkillScope.SYSTEM else FolderTier(path, scope)


@lru_cache(maxsize=SYSTEM_TIERS_KEPT_MAX)
def _share_tier(path: Path) -> FolderTier:
    """Return the built-in tier, which all agents of a process read once."""
    return FolderTier(path, SkillScope.SYSTEM)


@dataclass(slots=True)
class FolderSkills:
    """The terminal's skills: a folder for each tier. Implements `SkillSource`."""

    folders: Mapping[SkillScope, Path]
    configs: tuple[TenantSkillConfig, ...] = ()
    _tiers: tuple[FolderTier, ...] = field(init=False)

    def __post_init__(self) -> None:
        self._tiers = tuple(_find_tier(path, scope) for scope, path in self.folders.items())

    async def load(self) -> SkillSet:
        """Return the skills as they are now; folders that did not change are not read again."""
        return await asyncio.to_thread(self._load)

    def _load(self) -> SkillSet:
        sets = {tier.scope: tier.load() for tier in self._tiers}
        system, tenant, project = (
            sets.get(scope, SkillSet()).skills
            for scope in (SkillScope.SYSTEM, SkillScope.TENANT, SkillScope.PROJECT)
        )
        skills = tuple(list_available_skills(system, tenant, project, self.configs))
        problems = tuple(problem for one in sets.values() for problem in one.problems)
        return SkillSet(skills=skills, problems=problems, digest=digest_set(skills, problems))
