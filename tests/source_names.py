"""What modules of our packages define at their top level, and who refers to it.

The text is searched, not parsed: all packages in about a second. `test_unused_names.py` asks for
names that nothing refers to and overrides that nothing calls, `test_layout.py` for names of
classes.
"""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = {
    name: ROOT / "libs" / name.replace("_", "-") / name
    for name in ("dataagent_core", "dataagent_server", "dataagent_cli", "dataagent_ops")
}
_PROSE = re.compile(r'^ *r?"""(?=[^\s"),.\]])(?:.|\n)*?"""|(?<=\s)# .*', re.MULTILINE)
_WORD = re.compile(r"[A-Za-z_]\w*")
_DEFINED = re.compile(
    r"^(?P<decorators>(?:@.*\n(?:[ )].*\n)*)*)(?:(?:async )?def|(?P<is_class>class)) (?P<name>(?!__)\w+)"
    r"|^(?P<value>(?!__)\w+)(?:: [^=\n]+)? = ",
    re.MULTILINE,
)
# A function with another decorator is called by the decorator's owner, as a route is.
_PLAIN_DECORATOR = re.compile(r"@(?:[\w.]*\.)?(?:cache|lru_cache|\w*contextmanager|dataclass)\b")


@dataclass(frozen=True, slots=True)
class SourceModule:
    """One module without its comments and docstrings, and its word counts."""

    dotted: str
    folder: Path
    code: str
    words: Counter[str]

    @property
    def names(self) -> tuple[str, str]:
        """Return its package and its own name."""
        package, _, name = self.dotted.rpartition(".")
        return package, name

    def classes(self) -> Iterator[str]:
        """List its classes."""
        return (found["name"] for found in _DEFINED.finditer(self.code) if found["is_class"])

    def definitions(self) -> Iterator[str]:
        """List its definitions without a decorator."""
        for found in _DEFINED.finditer(self.code):
            decorators = re.findall(r"^@.*", found["decorators"] or "", re.MULTILINE)
            if all(_PLAIN_DECORATOR.match(line) for line in decorators):
                yield found["name"] or found["value"]

    def takes_from(self, other: "SourceModule") -> bool:
        """Say whether it imports another module or a part of it, or names it in a text."""
        package, name = other.names
        return (
            f"from {other.dotted} import" in self.code
            or f"import {other.dotted}" in self.code
            or f'"{other.dotted}' in self.code
            or (f"from {package} import" in self.code and name in self.words)
            # Programs of child processes import each other like this.
            or re.search(rf"from \.[\w.]*\b{name} import", self.code) is not None
            or (re.search(r"from \.[\w.]* import", self.code) is not None and name in self.words)
        )


@cache
def source_modules() -> tuple[SourceModule, ...]:
    """Read the four packages."""
    return tuple(
        _read(file, ".".join((name, *file.relative_to(folder).with_suffix("").parts)))
        for name, folder in PACKAGES.items()
        for file in sorted(folder.rglob("*.py"))
        if "migrations" not in file.parts
    )


def unused_names() -> list[str]:
    """List definitions that nothing in the packages refers to, as `module:name`."""
    by_word: dict[str, list[SourceModule]] = defaultdict(list)
    for module in source_modules():
        for word in module.words:
            by_word[word].append(module)
    return sorted(
        f"{module.dotted}:{name}"
        for module in source_modules()
        for name in module.definitions()
        if module.words[name] == 1
        and not any(other.takes_from(module) for other in by_word[name] if other is not module)
    )


def _read(path: Path, dotted: str) -> SourceModule:
    code = _PROSE.sub("", path.read_text())
    words = Counter(_WORD.findall(code))
    return SourceModule(dotted.removesuffix(".__init__"), path.parent, code, words)


def uncalled_overrides() -> list[str]:
    """List private methods of our classes that have a class of ours as a base and no caller.

    Such a method overrides one that its base has lost, so that it runs no more.
    """
    trees = [
        ast.parse(file.read_text())
        for package in PACKAGES.values()
        for file in package.rglob("*.py")
    ]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    classes = [node for node in nodes if isinstance(node, ast.ClassDef)]
    own = {node.name for node in classes}
    referred = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    return [
        f"{one.name}.{method.name}"
        for one in classes
        if any(ast.unparse(base).rpartition(".")[2].partition("[")[0] in own for base in one.bases)
        for method in one.body
        if isinstance(method, (ast.FunctionDef, ast.AsyncFunctionDef))
        if method.name.startswith("_") and not method.name.startswith("__")
        if method.name not in referred and not method.decorator_list
    ]
