"""Writes folders of skills in a tier: a new one from a template, one that is installed, none.

A skill appears, changes and goes as a whole: it is written beside its place, in a folder that
`skill_folder.py` passes over, and renamed. Every function blocks.
"""

import contextlib
import os
import secrets
import shutil
from collections.abc import Generator, Mapping
from pathlib import Path

from dataagent_core.errors import ConflictError, DirectoryError, NotFoundError, ValidationError
from dataagent_core.skills.skill import Skill, SkillScope
from dataagent_core.skills.skill_archive import MARK_BYTES, is_archive, read_archive
from dataagent_core.skills.skill_check import is_skill_name
from dataagent_core.skills.skill_file import SKILL_FILE, render_skill
from dataagent_core.skills.skill_folder import load_skill, read_folder_files
from dataagent_core.skills.skill_package import PackedFile, ReadSkill, read_package

_TEMPLATE = """\
# {title}

One sentence: what this skill achieves, and for whom.

## When to use it

- What a person asks for, in their words.

## Steps

1. [ ] Find out what is needed before the first step.
2. [ ] Do the work, naming the tools to use.
3. [ ] Check the result: say how one sees that it is right.

## Result

What the answer looks like.
"""
_EVALS = """\
{{
  "should": ["{name}: what a person says who needs it"],
  "should_not": ["what sounds alike and is something else"]
}}
"""


def new_skill(
    tier: Path, name: str, *, description: str = "", scope: SkillScope = SkillScope.TENANT
) -> Skill:
    """Write the folder of a new skill from a template, with evals to fill in."""
    title = name.replace("-", " ").capitalize()
    text = render_skill(
        Skill(
            id=name,
            name=name,
            description=description or f"{title}. Use when someone asks for it.",
            content=_TEMPLATE.format(title=title),
        )
    )
    if (tier / name).exists():
        raise ConflictError(
            f"There is already a skill {name!r} in {str(tier)!r:.200}. Choose another name, or "
            "change that one."
        )
    files = {
        SKILL_FILE: PackedFile(data=text.encode()),
        "evals/evals.json": PackedFile(data=_EVALS.format(name=name).encode()),
    }
    return _write(tier, files, read_package(files, folder_name=name, scope=scope), replace=False)


def install_skill(
    source: Path, tier: Path, *, scope: SkillScope = SkillScope.TENANT, replace: bool = False
) -> Skill:
    """Copy a skill's folder or zip file into a tier; `ValidationError` says what is wrong with it.

    A folder must have its skill's name, as the one at the top of a zip file (`skill_package.py`).
    """
    if source.is_dir():
        folder = source.resolve()
        files = read_folder_files(folder)
        return _write(
            tier, files, read_package(files, folder_name=folder.name, scope=scope), replace=replace
        )
    try:
        with source.open("rb") as file:
            is_packed = is_archive(file.read(MARK_BYTES))
    except OSError as error:
        raise NotFoundError(
            f"{str(source)!r:.200} cannot be read: {error.strerror or error}. Name the folder of a "
            "skill, its SKILL.md or a zip file."
        ) from error
    folder_name = None
    if is_packed:
        archive = read_archive(source)
        files, folder_name = archive.files, archive.folder_name
    elif source.name.lower() == SKILL_FILE.lower():
        files = {SKILL_FILE: PackedFile(data=source.read_bytes())}
    else:
        raise ValidationError(
            f"{source.name!r:.200} is neither the folder of a skill nor a SKILL.md nor a zip file."
        )
    read = read_package(files, folder_name=folder_name, is_archive=is_packed, scope=scope)
    return _write(tier, files, read, replace=replace)


def remove_skill(tier: Path, name: str) -> None:
    """Remove the folder of a skill; what is a link is removed, not followed."""
    folder = tier / name
    if not is_skill_name(name) or not (folder.is_dir() or folder.is_symlink()):
        raise NotFoundError(
            f"There is no skill {name!r:.80} in {str(tier)!r:.200}. `dataagent skills list` names "
            "those that are there."
        )
    with _map_os_errors(tier):
        if folder.is_symlink():
            folder.unlink()
            return
        gone = _beside(tier, name)
        folder.rename(gone)
        shutil.rmtree(gone, ignore_errors=True)


def _write(tier: Path, files: Mapping[str, PackedFile], read: ReadSkill, *, replace: bool) -> Skill:
    skill = read.skill
    if skill is None or not read.is_usable:
        wrong = (problem for problem in read.problems if not problem.is_warning)
        raise ValidationError(" ".join(problem.render() for problem in wrong))
    folder = tier / skill.name
    if not replace and (folder.exists() or folder.is_symlink()):
        raise ConflictError(
            f"There is already a skill {skill.name!r} in {str(tier)!r:.200}. Remove it first, or "
            "install with --replace."
        )
    with _map_os_errors(tier):
        write_files(files, folder)
    return load_skill(folder, skill.scope).skill or skill


def write_files(files: Mapping[str, PackedFile], folder: Path) -> None:
    """Write the files of a skill as `folder`, in place of what is there, whole or not at all."""
    tier, name = folder.parent, folder.name
    tier.mkdir(mode=0o700, parents=True, exist_ok=True)
    made = _beside(tier, name)
    try:
        for path, packed in files.items():
            place = made / path
            place.parent.mkdir(parents=True, exist_ok=True)
            mode = 0o755 if packed.executable else 0o644
            descriptor = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
            with os.fdopen(descriptor, "wb") as file:
                file.write(packed.data)
        _swap(made, folder)
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _swap(made: Path, folder: Path) -> None:
    if folder.is_symlink():
        folder.unlink()
    if not folder.exists():
        made.rename(folder)
        return
    old = _beside(folder.parent, folder.name)
    folder.rename(old)
    try:
        made.rename(folder)
    except OSError:
        old.rename(folder)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _beside(tier: Path, name: str) -> Path:
    return tier / f".{name}.{secrets.token_hex(8)}"


@contextlib.contextmanager
def _map_os_errors(tier: Path) -> Generator[None]:
    try:
        yield
    except OSError as error:
        raise DirectoryError(
            f"The skills of {str(tier)!r:.200} cannot be changed: {error.strerror or error}. Make "
            "the folder writable."
        ) from error
