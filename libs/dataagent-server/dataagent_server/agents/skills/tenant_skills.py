"""The skills an agent of a tenant gets, as a set that does not change, and which fit a message.

What is kept here for a tenant and project is current while the tenant's revision in the database is
the same. It is read for every run and every match, so that a change made by one process is seen by
the next run of all of them. A run that goes on has what it used of them as it was
(`run_skill_rows.py`).
"""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, TypeVar

from sqlalchemy import Connection

from dataagent_core.errors import ConflictError
from dataagent_core.skills import (
    Skill,
    SkillScope,
    SkillSet,
    TenantSkillConfig,
    list_available_skills,
)
from dataagent_core.skills.availability import has_its_tools
from dataagent_core.skills.match import SkillMatch, SkillMatchers
from dataagent_core.skills.skill_file import SKILL_FILE
from dataagent_core.skills.skill_folder import digest_set
from dataagent_core.skills.skill_package import assemble_skill
from dataagent_core.skills.source import FixedSkills
from dataagent_server.agents.skills import blob_rows, config_rows, run_skill_rows, skill_rows
from dataagent_server.agents.skills.limits import SETS_CACHED_MAX
from dataagent_server.agents.skills.revision_rows import read_revision
from dataagent_server.agents.skills.run_skill_rows import UsedSkill, UsedVersion
from dataagent_server.agents.skills.set_folders import SetFolders, make_readable_folder
from dataagent_server.agents.skills.skill_record import SkillRecord
from dataagent_server.agents.skills.system_skills import SystemSkills
from dataagent_server.common.ids import TenantId
from dataagent_server.db.database import Database

_FILE_MODE: Final = 0o644
_PROGRAM_MODE: Final = 0o755
_TRIES_MAX: Final = 5
# With what a run uses that is not there any more as it was.
_Key = tuple[TenantId, str | None, tuple[UsedSkill, ...]]
# With the tools that agents have.
_MatchKey = tuple[TenantId, str | None, frozenset[str]]
_Kept = tuple[int, FixedSkills]
Key = TypeVar("Key")
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class _Rows:
    """What a set is made from."""

    revision: int
    records: Sequence[SkillRecord]
    configs: Sequence[TenantSkillConfig]
    # These replace others of their names.
    used: Sequence[UsedVersion] = ()


class _ChangedError(Exception):
    """A skill was deleted while its files were being read."""


@dataclass(slots=True)
class TenantSkills:
    """The sets of all tenants that this process uses."""

    database: Database
    system: SystemSkills
    folders: SetFolders
    matchers: SkillMatchers
    _kept: OrderedDict[_Key, _Kept] = field(default_factory=OrderedDict[_Key, _Kept])
    # The same without files on this host: a match reads none, and must not fill the disk.
    _matched: OrderedDict[_MatchKey, tuple[int, SkillSet]] = field(
        default_factory=OrderedDict[_MatchKey, tuple[int, SkillSet]]
    )

    async def skills_for(
        self, tenant_id: TenantId, project_id: str | None, copies_of: str | None = None
    ) -> FixedSkills:
        """Return the skills of an agent, with their files on this host.

        What the run `copies_of` uses is as it was when the run loaded it.
        """
        current = await self._find(tenant_id, project_id, ())
        if copies_of is None:
            return current
        used = await self.database.read(lambda c: run_skill_rows.list_used(c, tenant_id, copies_of))
        there = {(skill.id, skill.digest) for skill in current.skill_set.skills}
        gone = tuple(one for one in used if (one.skill_id, one.digest) not in there)
        return await self._find(tenant_id, project_id, gone) if gone else current

    async def _find(
        self, tenant_id: TenantId, project_id: str | None, gone: tuple[UsedSkill, ...]
    ) -> FixedSkills:
        key = (tenant_id, project_id, gone)
        revision = await self.database.read(lambda c: read_revision(c, tenant_id))
        kept = self._kept.get(key)
        if kept is not None and kept[0] == revision and await self._renew(kept[1]):
            self._kept.move_to_end(key)
            return kept[1]
        for _ in range(_TRIES_MAX):
            rows = await self.database.read(lambda c: _load(c, tenant_id, project_id, gone))
            try:
                made = await self._make(tenant_id, rows)
            except _ChangedError:
                continue
            _keep(self._kept, key, (rows.revision, made))
            return made
        raise ConflictError("The tenant's skills are being changed all the time. Try again later.")

    async def match(
        self,
        tenant_id: TenantId,
        project_id: str | None,
        message: str,
        limit: int,
        tools: frozenset[str],
    ) -> list[SkillMatch]:
        """List the skills that fit a message, then those always offered.

        Those that need a tool beside these are left out.
        """
        key = (tenant_id, project_id, tools)
        revision = await self.database.read(lambda c: read_revision(c, tenant_id))
        kept = self._matched.get(key)
        if kept is None or kept[0] != revision:
            rows = await self.database.read(lambda c: _load(c, tenant_id, project_id))
            chosen = [one for one in await self._choose(rows) if has_its_tools(one, tools)]
            kept = (rows.revision, SkillSet(skills=tuple(chosen), digest=digest_set(chosen)))
            _keep(self._matched, key, kept)
        return await self.matchers.matcher_for(kept[1]).match(message, limit)

    def hold(self, skills: object) -> AbstractContextManager[None]:
        """Keep the files of a set while an agent uses them."""
        own = isinstance(skills, FixedSkills)
        return self.folders.hold(_folder_name(skills) if own else None)

    async def _renew(self, skills: FixedSkills) -> bool:
        name = _folder_name(skills)
        return name is None or await asyncio.to_thread(self.folders.renew, name)

    async def _choose(self, rows: _Rows) -> list[Skill]:
        system = await self.system.load()
        read = await asyncio.to_thread(_read_skills, rows.records)
        available = list_available_skills(
            system,
            [skill for skill in read if skill.scope is SkillScope.TENANT],
            [skill for skill in read if skill.scope is SkillScope.PROJECT],
            rows.configs,
        )
        used = await asyncio.to_thread(_read_used, rows.used)
        chosen = {skill.name: skill for skill in [*available, *used]}
        return list(chosen.values())

    async def _make(self, tenant_id: TenantId, rows: _Rows) -> FixedSkills:
        chosen = await self._choose(rows)
        stored = [skill for skill in chosen if not skill.is_system_skill]
        folders = {SkillScope.SYSTEM: self.system.folder}
        if stored:
            texts = {one.skill.id: one.text for one in rows.records}
            # By the digest too: a skill may be there under another name.
            used = {(one.used.skill_id, one.used.digest): one.text for one in rows.used}

            async def write(folder: Path) -> None:
                for skill in stored:
                    text = used.get((skill.id, skill.digest)) or texts[skill.id]
                    await self._write_skill(tenant_id, skill, text, folder)

            place = await self.folders.ensure(digest_set(stored), write)
            chosen = [
                skill
                if skill.is_system_skill
                else replace(skill, folder=place / skill.scope / skill.name)
                for skill in chosen
            ]
            folders |= {skill.scope: place / skill.scope for skill in stored}
        skill_set = SkillSet(skills=tuple(chosen), digest=digest_set(chosen))
        return FixedSkills(skill_set=skill_set, folders=folders)

    async def _write_skill(
        self, tenant_id: TenantId, skill: Skill, text: str, folder: Path
    ) -> None:
        digests = sorted({file.sha256 for file in skill.files})
        blobs: dict[str, bytes] = {}
        if digests:
            blobs = await self.database.read(lambda c: blob_rows.read_blobs(c, tenant_id, digests))
        if len(blobs) < len(digests):
            raise _ChangedError
        await asyncio.to_thread(_write_files, skill, text, blobs, folder)


def _keep(cache: OrderedDict[Key, Value], key: Key, value: Value) -> None:
    cache[key] = value
    cache.move_to_end(key)
    while len(cache) > SETS_CACHED_MAX:
        cache.popitem(last=False)


def _load(
    connection: Connection,
    tenant_id: TenantId,
    project_id: str | None,
    gone: Sequence[UsedSkill] = (),
) -> _Rows:
    # The revision first: rows that change after it are read again with the next one.
    return _Rows(
        read_revision(connection, tenant_id),
        skill_rows.load_skills(connection, tenant_id, project_id),
        config_rows.list_configs(connection, tenant_id),
        run_skill_rows.load_versions(connection, tenant_id, gone),
    )


def _read_skills(records: Sequence[SkillRecord]) -> list[Skill]:
    """Read the text of each, which the rows of an older server may no longer pass."""
    found: list[Skill] = []
    for record in records:
        stored = record.skill
        read = assemble_skill(record.text.encode(), stored.files, scope=stored.scope)
        if read.skill is not None and read.is_usable:
            found.append(
                replace(
                    read.skill,
                    id=stored.id,
                    tenant_id=stored.tenant_id,
                    project_id=stored.project_id,
                    status=read.skill.status if record.enabled else "disabled",
                )
            )
    return found


def _read_used(versions: Sequence[UsedVersion]) -> list[Skill]:
    found: list[Skill] = []
    for one in versions:
        used = one.used
        read = assemble_skill(one.text.encode(), one.files, scope=used.scope)
        if read.skill is not None and read.is_usable:
            found.append(replace(read.skill, id=used.skill_id, digest=used.digest))
    return found


def _write_files(skill: Skill, text: str, blobs: dict[str, bytes], folder: Path) -> None:
    place = folder / skill.scope / skill.name
    make_readable_folder(place)
    _write_file(place / SKILL_FILE, text.encode(), _FILE_MODE)
    for file in skill.files:
        target = place / file.path
        make_readable_folder(target.parent)
        mode = _PROGRAM_MODE if file.executable else _FILE_MODE
        _write_file(target, blobs[file.sha256], mode)


def _write_file(path: Path, content: bytes, mode: int) -> None:
    path.write_bytes(content)
    path.chmod(mode)


def _folder_name(skills: FixedSkills) -> str | None:
    """Return the folder that holds a set's own skills; None where all are the system's."""
    for scope, folder in skills.folders.items():
        if scope is not SkillScope.SYSTEM:
            return folder.parent.name
    return None
