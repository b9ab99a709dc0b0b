"""Classes, modules and folders of the packages can be found by their names.

A class name is used once in a package, a module is not called after an activity (`-ing`), and a
folder has at most 20 entries; that of core's layers may have more.
"""

from collections import defaultdict
from collections.abc import Iterator

from tests.source_names import PACKAGES, ROOT, source_modules

WEB = ROOT / "web/src"
ENTRIES_MAX = 20
# Not ours to name, or named after what it is.
_MADE = {"__init__.py", "__pycache__", "py.typed", "static", "versions"}
_NOUNS = {
    "binding", "encoding", "finding", "keyring", "listing", "planning", "sampling", "setting", "string",
    "testing", "wiring",
}  # fmt: skip
# Its folders are the layers of core, which ARCHITECTURE.md lists; they do not fit into each other.
_LAYERS = ROOT / "libs/dataagent-core/dataagent_core"


def exceptions() -> list[str]:
    """List every class, module and folder that breaks a rule, sorted."""
    return sorted([*_repeated_classes(), *_activities(), *_full_folders()])


def _repeated_classes() -> Iterator[str]:
    defined: dict[tuple[str, str], int] = defaultdict(int)
    for module in source_modules():
        for name in module.classes():
            defined[module.dotted.partition(".")[0], name.lstrip("_")] += 1
    for (package, name), count in defined.items():
        if count > 1:
            yield f"class {package} {name}"


def _activities() -> Iterator[str]:
    for module in source_modules():
        name = module.names[1]
        if name.endswith("ing") and name.rpartition("_")[2] not in _NOUNS:
            yield f"module {module.dotted}"


def _full_folders() -> Iterator[str]:
    for top in (*PACKAGES.values(), WEB):
        for folder in (top, *(inner for inner in top.rglob("*") if inner.is_dir())):
            if _MADE.isdisjoint(folder.relative_to(ROOT).parts):
                entries = [entry for entry in folder.iterdir() if entry.name not in _MADE]
                if len(entries) > ENTRIES_MAX and folder != _LAYERS:
                    yield f"folder {folder.relative_to(ROOT)}"


def test_no_class_name_is_used_twice_no_module_is_an_activity_and_no_folder_is_full():
    assert exceptions() == []
