"""The files of an upload: one SKILL.md, the files of a folder, or one zip file. Pure."""

from collections.abc import Sequence
from typing import Final

from dataagent_core.errors import ValidationError
from dataagent_core.skills.skill_archive import read_archive
from dataagent_core.skills.skill_file import SKILL_FILE
from dataagent_core.skills.skill_package import PackedFile, check_sizes, find_skill_file

_ZIP: Final = b"PK"
_PROGRAM: Final = b"#!"


def pack_files(files: Sequence[tuple[str, bytes]]) -> tuple[str, dict[str, PackedFile]]:
    """Return the text of SKILL.md, and the other files by their paths."""
    if not files:
        raise ValidationError("The form holds no file. Send a SKILL.md or a zip file as `file`.")
    packed = _unpack(files)
    check_sizes({path: len(one.data) for path, one in packed.items()})
    name = find_skill_file(packed)
    try:
        text = packed.pop(name).data.decode()
    except UnicodeDecodeError:
        raise ValidationError("SKILL.md is not UTF-8. Save it as UTF-8.") from None
    return text, packed


def _unpack(files: Sequence[tuple[str, bytes]]) -> dict[str, PackedFile]:
    (first, data), *rest = files
    if not rest:
        if data.startswith(_ZIP):
            return read_archive(data).files
        # Whatever it is called: a browser keeps the name it has on disk.
        return {SKILL_FILE: PackedFile(data=data)}
    packed: dict[str, PackedFile] = {}
    for path, content in files:
        if _check_path(path) in packed:
            raise ValidationError(f"The form has {path!r:.200} twice. Send each file once.")
        packed[path] = PackedFile(data=content, executable=content.startswith(_PROGRAM))
    top = first.partition("/")[0]
    if all(path.startswith(f"{top}/") for path in packed):
        packed = {path.removeprefix(f"{top}/"): one for path, one in packed.items()}
    return packed


def _check_path(path: str) -> str:
    parts = path.split("/")
    if not path.isprintable() or any(part in {"", ".", ".."} for part in parts) or "\\" in path:
        raise ValidationError(
            f"{path!r:.200} is not the path of a file in the skill's folder. Rename it, or send a "
            "zip file."
        )
    return path
