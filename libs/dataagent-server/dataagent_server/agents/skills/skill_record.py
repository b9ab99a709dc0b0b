"""A skill of a tenant or a project as its row holds it, and how rows and values map."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import RowMapping

from dataagent_core.skills import Skill, SkillFile, SkillScope, SkillTrigger, TriggerPattern
from dataagent_server.db.project_column import WHOLE_TENANT


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillRecord:
    """One row. `skill.content` is empty: `text` is the whole SKILL.md, and empty in lists."""

    skill: Skill
    text: str
    enabled: bool
    # Of its newest version.
    number: int
    created_by: str
    created_at: datetime
    updated_at: datetime

    @property
    def belongs(self) -> str:
        """The project it belongs to, as its column has it."""
        return self.skill.project_id or WHOLE_TENANT


@dataclass(frozen=True, slots=True)
class SkillVersion:
    """What a skill was; `content` and `files` are empty in lists."""

    number: int
    version: str
    content: str
    files: tuple[SkillFile, ...]
    digest: str
    created_by: str
    created_at: datetime


def read_record(row: RowMapping) -> SkillRecord:
    """Read a row; a row of a list lacks `content`."""
    allowed = row["allowed_tools"]
    skill = Skill(
        id=row["id"],
        tenant_id=row["tenant_id"],
        project_id=row["project_id"] or None,
        scope=SkillScope(row["scope"]),
        name=row["name"],
        description=row["description"],
        content="",
        license=row["license"],
        compatibility=row["compatibility"],
        metadata=row["metadata"],
        allowed_tools=None if allowed is None else tuple(allowed),
        display_name=row["display_name"],
        summary=row["summary"],
        category=row["category"],
        tags=tuple(row["tags"]),
        trigger=SkillTrigger(
            type=row["trigger_type"],
            phrases=tuple(row["trigger_phrases"]),
            patterns=tuple(TriggerPattern(**one) for one in row["trigger_patterns"]),
        ),
        version=row["version"],
        status=row["status"],
        tools=tuple(row["tools"]),
        always_offered=row["always_offered"],
        requires_tools=tuple(row["requires_tools"]),
        files=read_files(row["files"]),
        digest=row["digest"],
    )
    return SkillRecord(
        skill=skill,
        text=row.get("content", ""),
        enabled=row["enabled"],
        number=row["number"],
        created_by=row["created_by"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )


def skill_values(skill: Skill, text: str) -> dict[str, Any]:
    """Return the columns that SKILL.md and the files decide."""
    return {
        "name": skill.name,
        "display_name": skill.display_name,
        "description": skill.description,
        "trigger_type": skill.trigger.type,
        "trigger_phrases": list(skill.trigger.phrases),
        "trigger_patterns": [
            {"pattern": one.pattern, "weight": one.weight} for one in skill.trigger.patterns
        ],
        "summary": skill.summary,
        "content": text,
        "category": skill.category,
        "tags": list(skill.tags),
        "status": skill.status,
        "version": skill.version,
        "tools": list(skill.tools),
        "allowed_tools": None if skill.allowed_tools is None else list(skill.allowed_tools),
        "license": skill.license,
        "compatibility": skill.compatibility,
        "metadata": dict(skill.metadata),
        "always_offered": skill.always_offered,
        "requires_tools": list(skill.requires_tools),
        "files": file_values(skill.files),
        "digest": skill.digest,
    }


def read_files(values: Sequence[Mapping[str, Any]]) -> tuple[SkillFile, ...]:
    """Read a list of files."""
    return tuple(SkillFile(**one) for one in values)


def file_values(files: Sequence[SkillFile]) -> list[dict[str, Any]]:
    """Return a list of files as a column holds it."""
    return [
        {
            "path": file.path,
            "size_bytes": file.size_bytes,
            "sha256": file.sha256,
            "executable": file.executable,
        }
        for file in files
    ]
