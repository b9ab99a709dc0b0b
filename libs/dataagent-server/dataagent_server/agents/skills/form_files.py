"""The files of an upload: one SKILL.md, the files of a folder, or one zip file. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from dataagent_core.errors import ValidationError
from dataagent_core.skills.skill_archive import (
    check_path,
    is_archive,
    is_junk,
    make_double_error,
    read_archive,
)
from dataagent_core.skills.skill_file import SKILL_FILE
from dataagent_core.skills.skill_package import (
    PackedFile,
    check_sizes,
    find_skill_file,
    is_program,
)


@dataclass(frozen=True, slots=True)
class SkillFolder:
    """The folder that a skill was in: its name, and whether it was packed in a zip file."""

    name: str
    is_archive: bool = False


@dataclass(frozen=True, slots=True)
class SkillUpload:
    """The text of SKILL.md, the other files by their paths, and the folder they were in."""

    text: str
    files: dict[str, PackedFile]
    folder: SkillFolder | None = None


def pack_files(files: Sequence[tuple[str, bytes]]) -> SkillUpload:
    """Return what was sent; whether the folder has the skill's name shows when it is read."""
    if not files:
        raise ValidationError("The form holds no file. Send a SKILL.md or a zip file as `file`.")
    packed, folder = _unpack(files)
    check_sizes({path: len(one.data) for path, one in packed.items()})
    name = find_skill_file(packed)
    try:
        text = packed.pop(name).data.decode()
    except UnicodeDecodeError:
        raise ValidationError("SKILL.md is not UTF-8. Save it as UTF-8.") from None
    return SkillUpload(text, packed, folder)


def _unpack(
    files: Sequence[tuple[str, bytes]],
) -> tuple[dict[str, PackedFile], SkillFolder | None]:
    (first, data), *rest = files
    if not rest:
        if is_archive(data):
            archive = read_archive(data)
            name = archive.folder_name
            return archive.files, None if name is None else SkillFolder(name, is_archive=True)
        # Whatever it is called: a browser keeps the name it has on disk.
        above, _, name = first.replace("\\", "/").rpartition("/")
        in_folder = above and name.lower() == SKILL_FILE.lower()
        folder = SkillFolder(above.rpartition("/")[2]) if in_folder else None
        return {SKILL_FILE: PackedFile(data=data)}, folder
    packed: dict[str, PackedFile] = {}
    for sent, content in files:
        path = check_path(sent)
        if is_junk(path):
            continue
        if path in packed:
            raise make_double_error(path)
        packed[path] = PackedFile(data=content, executable=is_program(content))
    tops = {path.partition("/")[0] for path in packed}
    if len(tops) != 1 or any("/" not in path for path in packed):
        return packed, None
    (top,) = tops
    return {path.removeprefix(f"{top}/"): one for path, one in packed.items()}, SkillFolder(top)
