"""Creates, reads, changes and deletes skills of a tenant or a project.

Everybody of the tenant sees all of them; a project's owner changes the project's, an admin all.
Every change is a version and raises the tenant's revision. SKILL.md is read before the transaction,
because a large one takes long and others wait for the transaction. System skills are shown and stay
as they are; `config_service.py` disables and overrides them.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from dataagent_core.errors import ConflictError, LimitReachedError, NotFoundError
from dataagent_core.ids import new_id
from dataagent_core.skills import Skill, SkillFile, SkillScope
from dataagent_core.skills.skill_file import SKILL_FILE
from dataagent_core.skills.skill_package import PackedFile, assemble_skill, describe_file
from dataagent_server.agents.skills import (
    blob_rows,
    config_rows,
    skill_rows,
    version_rows,
)
from dataagent_server.agents.skills.form_files import SkillFolder, SkillUpload
from dataagent_server.agents.skills.limits import SKILLS_PER_TENANT_MAX
from dataagent_server.agents.skills.revision_rows import begin_change
from dataagent_server.agents.skills.skill_draft import complete_text, make_text, require_skill_text
from dataagent_server.agents.skills.skill_record import SkillRecord, SkillVersion, skill_values
from dataagent_server.agents.skills.skill_rights import require_skill
from dataagent_server.agents.skills.skill_view import SkillDetails, SkillView, make_views
from dataagent_server.agents.skills.system_skills import SystemSkills
from dataagent_server.db.database import Database
from dataagent_server.identity.audit import AuditTrail
from dataagent_server.identity.auth import Action, Principal
from dataagent_server.identity.auth.clock import Clock, utc_now

# Each time, somebody else has changed the same skill meanwhile.
_TRIES_MAX: Final = 50


@dataclass(frozen=True, slots=True)
class _NewText:
    """What a change makes of a skill, and of which text and files it was made."""

    text: str
    skill: Skill
    based_on: tuple[str, tuple[SkillFile, ...]]


@dataclass(frozen=True, slots=True)
class SkillService:
    """The skills of the principal's own tenant."""

    database: Database
    audit: AuditTrail
    system: SystemSkills
    clock: Clock = utc_now

    async def list_skills(self, principal: Principal, project_id: str | None) -> list[SkillView]:
        """List the system's, the tenant's and, with a project, the project's skills."""
        system = await self.system.load()

        def work(connection: Connection) -> list[SkillView]:
            require_skill(connection, principal, "skill.read", project_id)
            records = skill_rows.list_skills(connection, principal.tenant_id, project_id)
            configs = config_rows.list_configs(connection, principal.tenant_id)
            return make_views(system, records, configs)

        return await self.database.read(work)

    async def get(self, principal: Principal, skill_id: str) -> SkillDetails:
        """Return one skill with its text."""
        built_in = await self.system.find(skill_id)
        if built_in is not None and built_in.folder is not None:
            text = await asyncio.to_thread((built_in.folder / SKILL_FILE).read_text)
            views = await self.list_skills(principal, None)
        else:
            record = await self._read(principal, skill_id)
            text = record.text
            views = await self.list_skills(principal, record.skill.project_id)
        for view in views:
            if view.skill.id == skill_id:
                return await asyncio.to_thread(_make_details, view, text)
        raise _not_found(skill_id)

    async def create(
        self,
        principal: Principal,
        project_id: str | None,
        text: str,
        fields: Mapping[str, Any],
        files: Mapping[str, PackedFile] | None = None,
        *,
        folder: SkillFolder | None = None,
        enabled: bool = True,
    ) -> SkillDetails:
        """Store a skill for the tenant, or for a project; it must have the name of its folder."""
        packed = files or {}
        whole, read = await asyncio.to_thread(_read_new, text, fields, packed, folder)
        now = self.clock()
        record = SkillRecord(
            skill=_place(read, principal, project_id, new_id()),
            text=whole,
            enabled=enabled,
            number=1,
            created_by=principal.user_id,
            created_at=now,
            updated_at=now,
        )

        def work(connection: Connection) -> None:
            begin_change(connection, principal.tenant_id)
            require_skill(connection, principal, "skill.change", project_id)
            if skill_rows.count(connection, principal.tenant_id) >= SKILLS_PER_TENANT_MAX:
                raise LimitReachedError(
                    f"The tenant has its {SKILLS_PER_TENANT_MAX:,} skills. Delete one first."
                )
            try:
                skill_rows.add(connection, principal.tenant_id, record)
            except IntegrityError as error:
                raise _taken(record.skill) from error
            self._keep_version(connection, principal, record, packed)
            self._record(connection, principal, "skill.create", record)

        await self.database.write(work)
        return await self.get(principal, record.skill.id)

    async def change(
        self,
        principal: Principal,
        skill_id: str,
        fields: Mapping[str, Any],
        *,
        text: str | None = None,
        content: str | None = None,
        files: Mapping[str, PackedFile] | None = None,
        enabled: bool | None = None,
    ) -> SkillDetails:
        """Change what is given; `files` replaces all of them, `text` the whole SKILL.md.

        Of `content`, a SKILL.md or the text of one, what it does not name stays as it is.
        """
        await self._refuse_system(skill_id)
        packed = files or {}
        described = None
        if files is not None:
            described = await asyncio.to_thread(_describe_files, files)

        def store(connection: Connection, made: _NewText) -> bool:
            begin_change(connection, principal.tenant_id)
            old = _find(connection, principal, skill_id, "skill.change")
            if made.based_on != _find_base(old, text, described):
                return False
            is_new = made.skill.digest != old.skill.digest
            new = replace(
                old,
                skill=_place(made.skill, principal, old.skill.project_id, skill_id),
                text=made.text,
                enabled=old.enabled if enabled is None else enabled,
                number=old.number + is_new,
                updated_at=self.clock(),
            )
            values = skill_values(new.skill, made.text) | {
                "enabled": new.enabled,
                "number": new.number,
                "updated_at": new.updated_at,
            }
            try:
                skill_rows.change(connection, principal.tenant_id, skill_id, values)
            except IntegrityError as error:
                raise _taken(new.skill) from error
            if is_new:
                self._keep_version(connection, principal, new, packed)
            self._record(connection, principal, "skill.change", new)
            return True

        for _ in range(_TRIES_MAX):
            old = await self._read(principal, skill_id, "skill.change")
            base = _find_base(old, text, described)
            made = await asyncio.to_thread(_read_changed, base, content, fields)
            if await self.database.write(partial(store, made=made)):
                return await self.get(principal, skill_id)
        raise ConflictError("The skill is being changed all the time. Try again later.")

    async def replace(
        self, principal: Principal, project_id: str | None, upload: SkillUpload
    ) -> SkillDetails:
        """Make the skill of this name in its tier what is given; a new one if there is none."""
        text, files = upload.text, upload.files
        name = (await asyncio.to_thread(require_skill_text, text, (), upload.folder)).name
        for _ in range(_TRIES_MAX):
            views = await self.list_skills(principal, project_id)
            of_tier = (
                one.skill
                for one in views
                if not one.skill.is_system_skill and one.skill.project_id == project_id
            )
            there = next((skill for skill in of_tier if skill.name == name), None)
            try:
                if there is None:
                    return await self.create(principal, project_id, text, {}, files)
                return await self.change(principal, there.id, {}, text=text, files=files)
            except (_TakenError, _GoneError):
                # Made or deleted meanwhile.
                continue
        raise ConflictError("The skill is being changed all the time. Try again later.")

    async def require_reader(self, principal: Principal, project_id: str | None = None) -> None:
        """Raise unless the principal may see the tenant's skills, or those of a project too."""
        await self.database.read(lambda c: require_skill(c, principal, "skill.read", project_id))

    async def delete(self, principal: Principal, skill_id: str) -> None:
        """Delete a skill with its versions; runs in progress go on with their copy."""
        await self._refuse_system(skill_id)

        def work(connection: Connection) -> None:
            tenant_id = principal.tenant_id
            begin_change(connection, tenant_id)
            old = _find(connection, principal, skill_id, "skill.change")
            skill_rows.remove(connection, tenant_id, skill_id)
            config_rows.forget_override(connection, tenant_id, skill_id)
            version_rows.remove_versions(connection, tenant_id, skill_id)
            blob_rows.remove_uses(connection, tenant_id, skill_id)
            blob_rows.remove_unused(connection, tenant_id)
            self._record(connection, principal, "skill.delete", old)

        await self.database.write(work)

    async def list_versions(self, principal: Principal, skill_id: str) -> list[SkillVersion]:
        """List what a skill was, the newest first; a system skill has no versions."""
        if await self.system.find(skill_id) is not None:
            return []
        await self._read(principal, skill_id)
        return await self.database.read(
            lambda c: version_rows.list_versions(c, principal.tenant_id, skill_id)
        )

    async def get_version(self, principal: Principal, skill_id: str, number: int) -> SkillVersion:
        """Return one version with its text."""
        if await self.system.find(skill_id) is not None:
            raise NotFoundError("A skill of the system has no versions. Read its `content`.")
        await self._read(principal, skill_id)
        found = await self.database.read(
            lambda c: version_rows.find_version(c, principal.tenant_id, skill_id, number)
        )
        if found is None:
            raise NotFoundError(f"The skill has no version {number}, or not any more.")
        return found

    async def read_file(self, principal: Principal, skill_id: str, path: str) -> bytes | Path:
        """Return a file of a skill: its bytes, or where a file of the system's is."""
        skill = (await self.get(principal, skill_id)).view.skill
        file = next((one for one in skill.files if one.path == path), None)
        missing = NotFoundError(f"The skill {skill.name!r} has no file {path[:200]!r}.")
        if file is None:
            raise missing
        if skill.folder is not None:
            return skill.folder / file.path
        digest = file.sha256
        blobs = await self.database.read(
            lambda c: blob_rows.read_blobs(c, principal.tenant_id, [digest])
        )
        if digest not in blobs:
            raise missing
        return blobs[digest]

    async def _read(
        self, principal: Principal, skill_id: str, action: Action = "skill.read"
    ) -> SkillRecord:
        return await self.database.read(lambda c: _find(c, principal, skill_id, action))

    async def _refuse_system(self, skill_id: str) -> None:
        found = await self.system.find(skill_id)
        if found is not None:
            raise ConflictError(
                f"The skill {found.name!r} comes with DataAgent and stays as it is. Disable it, "
                "or override it with one of your own."
            )

    def _keep_version(
        self,
        connection: Connection,
        principal: Principal,
        record: SkillRecord,
        packed: Mapping[str, PackedFile],
    ) -> None:
        tenant_id, skill = principal.tenant_id, record.skill
        by_path = {file.path: file.sha256 for file in skill.files}
        blobs = {by_path[path]: one.data for path, one in packed.items()}
        blob_rows.add_blobs(connection, tenant_id, blobs, record.updated_at)
        version_rows.add_version(connection, tenant_id, record, principal.user_id)
        blob_rows.add_uses(connection, tenant_id, skill.id, record.number, skill.files)
        version_rows.remove_versions(connection, tenant_id, skill.id, newest=record.number)
        blob_rows.remove_uses(connection, tenant_id, skill.id)
        blob_rows.remove_unused(connection, tenant_id)

    def _record(
        self, connection: Connection, principal: Principal, action: str, record: SkillRecord
    ) -> None:
        skill = record.skill
        self.audit.record(
            connection, principal.tenant_id, principal.actor, action, f"skill:{skill.id}",
            {"name": skill.name, "project_id": skill.project_id, "digest": skill.digest,
             "enabled": record.enabled},
        )  # fmt: skip


class _TakenError(ConflictError):
    """A skill of this name is there already."""


class _GoneError(NotFoundError):
    """There is no such skill, or not any more."""


def _read_new(
    text: str,
    fields: Mapping[str, Any],
    packed: Mapping[str, PackedFile],
    folder: SkillFolder | None,
) -> tuple[str, Skill]:
    """Return the SKILL.md and the skill in it. It blocks: a large one takes long to read."""
    whole = make_text(text, fields)
    return whole, require_skill_text(whole, _describe_files(packed), folder)


def _find_base(
    old: SkillRecord, text: str | None, described: tuple[SkillFile, ...] | None
) -> tuple[str, tuple[SkillFile, ...]]:
    """Return the text and the files that a change begins with: those given, else the present."""
    return (
        old.text if text is None else text,
        old.skill.files if described is None else described,
    )


def _read_changed(
    base: tuple[str, tuple[SkillFile, ...]], content: str | None, fields: Mapping[str, Any]
) -> _NewText:
    """Apply a content, then fields to a text. It blocks: a large one takes long to read."""
    text, described = base
    whole = make_text(text if content is None else complete_text(content, text), fields)
    return _NewText(whole, require_skill_text(whole, described), base)


def _describe_files(packed: Mapping[str, PackedFile]) -> tuple[SkillFile, ...]:
    return tuple(describe_file(path, one) for path, one in packed.items())


def _place(skill: Skill, principal: Principal, project_id: str | None, skill_id: str) -> Skill:
    scope = SkillScope.PROJECT if project_id else SkillScope.TENANT
    return replace(
        skill,
        id=skill_id,
        tenant_id=principal.tenant_id,
        project_id=project_id or None,
        scope=scope,
    )


def _make_details(view: SkillView, text: str) -> SkillDetails:
    found = assemble_skill(text.encode(), view.skill.files)
    return SkillDetails(view, text, found.problems)


def _find(
    connection: Connection, principal: Principal, skill_id: str, action: Action
) -> SkillRecord:
    found = skill_rows.find(connection, principal.tenant_id, skill_id)
    if found is None:
        raise _not_found(skill_id)
    require_skill(connection, principal, action, found.skill.project_id)
    return found


def _not_found(skill_id: str) -> NotFoundError:
    return _GoneError(f"There is no skill {skill_id[:80]!r}.")


def _taken(skill: Skill) -> ConflictError:
    return _TakenError(
        f"There is a skill {skill.name!r} in this tier already. Change that one, or choose "
        "another name."
    )
