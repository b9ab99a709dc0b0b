"""The public names of the four packages are those of `public_surface.txt`.

Public is what the `__all__` of a package and of the folders directly in it names, and of folders
deeper down that the documents import from. After a wanted change: python -m tests.test_public_surface
"""

import ast
import re
from pathlib import Path

from tests.source_names import PACKAGES, ROOT

PINNED = Path(__file__).with_name("public_surface.txt")


def public_surface() -> list[str]:
    """Return `package:name` for every public name, sorted."""
    pages = "".join(page.read_text() for page in sorted(ROOT.glob("docs/*.md")))
    documented = set(re.findall(r"from (dataagent_[\w.]+) import", pages))
    return sorted(
        f"{dotted}:{name}"
        for package, folder in PACKAGES.items()
        for file in folder.rglob("__init__.py")
        for inside in [file.parent.relative_to(folder).parts]
        for dotted in [".".join((package, *inside))]
        if len(inside) <= 1 or dotted in documented
        for name in _exported(file)
    )


def _exported(file: Path) -> list[str]:
    for statement in ast.parse(file.read_text()).body:
        match statement:
            case ast.Assign(targets=[ast.Name(id="__all__")], value=value):
                return ast.literal_eval(value)
            case _:
                pass
    return []


def test_the_public_names_are_those_on_record():
    assert public_surface() == PINNED.read_text().splitlines()


if __name__ == "__main__":
    PINNED.write_text("\n".join(public_surface()) + "\n")
