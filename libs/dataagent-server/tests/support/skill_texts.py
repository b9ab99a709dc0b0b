"""SKILL.md texts and zip files for tests."""

import io
import zipfile


def skill_text(name: str = "custom-review", description: str = "Review code our way.") -> str:
    return f"---\nname: {name}\ndescription: {description}\n---\n# {name}\n\nRead it twice.\n"


def skill_zip(
    name: str = "custom-review", files: dict[str, bytes] | None = None, *, top: str = ""
) -> bytes:
    """Pack a skill with a script, as one would; `top` is another name of its folder."""
    top = top or name
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(f"{top}/SKILL.md", skill_text(name))
        for path, data in (files or {"scripts/count.py": b"#!/usr/bin/env python3\n"}).items():
            entry = zipfile.ZipInfo(f"{top}/{path}")
            entry.external_attr = 0o100755 << 16
            archive.writestr(entry, data)
    return packed.getvalue()
