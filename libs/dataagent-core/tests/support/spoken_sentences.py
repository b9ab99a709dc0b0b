"""The sentences that a package says to people, read from its source code, and their translations."""

import ast
import re
from collections import defaultdict
from collections.abc import Collection, Iterator
from pathlib import Path
from string import Formatter

_SPEAKERS = {
    "make_not_allowed_error", "describe_unknown_name", "NotShown",
    "SkillProblem", "_error", "_warning", "warn", "broken_at", "_broken_at",
}  # fmt: skip
_DEFECT = "AssertionError"
_PLACE = re.compile(r"\{[^{}]*\}")
_WORD = re.compile(r"[A-Z]?[a-z]{2,}")
# SQL, patterns and commands are for machines; what names a tool or speaks of masks, for models.
_NOT_FOR_PEOPLE = re.compile(
    r"^\s*(<|(SELECT|CREATE|regexp_replace|replace|make_date|pip install)\b)"
    r"|\\[bd)[]|\(\.\*|\babs ceil\b|^{} in {}$"
    r"|\b(data_(describe|list_sources|search_catalog)|sql_check|sql_write is|result_page)\b"
    r"|hidden from you|the engine refused|masked for you|rows='kept'"
    r"|a rule denies it|^\({} cannot be read|^bubblewrap ended before"
)


HAN = re.compile(r"[\u4e00-\u9fff]")


def places(text: str) -> list[str]:
    """Name the places of a text of a catalogue, in their order."""
    return [name for _, name, _, _ in Formatter().parse(text) if name]


def shape(text: str) -> str:
    """Write a text of a catalogue without the names of its places."""
    parsed = Formatter().parse(text)
    return "".join(words if name is None else f"{words}{{}}" for words, name, _, _ in parsed)


def one_place(shape: str) -> str:
    """Take places that stand beside each other for one: nobody can tell where one value ends."""
    return shape.replace("{}{}", "{}")


def _shape_of(node: ast.AST) -> str | None:
    """Write a text as the catalogue's keys are compared: without the names of its places."""
    match node:
        case ast.Constant(value=str(text)):
            return _PLACE.sub("{}", text)
        case ast.JoinedStr(values=parts):
            return "".join(str(p.value) if isinstance(p, ast.Constant) else "{}" for p in parts)
        case _:
            return None


def _is_note(name: str) -> bool:
    return any(word in name.lower() for word in ("note", "notice", "warning"))


def _is_told_to_models(keywords: list[ast.keyword]) -> bool:
    return any(k.arg == "is_reported" and isinstance(k.value, ast.Constant) for k in keywords)


def _name(node: ast.AST) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


class _Module:
    """Follows names and local functions to the strings behind them."""

    def __init__(self, tree: ast.Module) -> None:
        self.tree = tree
        self._assigned: dict[str, list[ast.expr]] = defaultdict(list)
        self._returned: dict[str, list[ast.expr]] = defaultdict(list)
        for node in ast.walk(tree):
            match node:
                case ast.Assign(targets=[target], value=value):
                    self._assign(target, value)
                case ast.AnnAssign(target=target, value=ast.expr() as value):
                    self._assign(target, value)
                case ast.NamedExpr(target=target, value=value):
                    self._assign(target, value)
                case ast.AugAssign(target=target, value=value):
                    self._assign(target, value)
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    for inner in ast.walk(node):
                        if isinstance(inner, (ast.Return, ast.Yield)) and inner.value:
                            self._returned[node.name].append(inner.value)
                case _:
                    pass

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        targets = target.elts if isinstance(target, ast.Tuple) else [target]
        values = value.elts if isinstance(value, ast.Tuple) else [value] * len(targets)
        for one, given in zip(targets, values, strict=False):
            self._assigned[_name(one)].append(given)

    def sentences(self) -> Iterator[str]:
        for node in ast.walk(self.tree):
            for said in self._said(node):
                yield from self._texts(said, set())

    def _said(self, node: ast.AST) -> list[ast.expr]:  # noqa: PLR0911 (a case each)
        match node:
            case ast.Call(func=func, args=args, keywords=keywords):
                name = _name(func)
                owner = _name(func.value) if isinstance(func, ast.Attribute) else ""
                spoken = [
                    k.value for k in keywords if _is_note(k.arg or "") or k.arg == "for_person"
                ]
                if _is_told_to_models(keywords):
                    return []
                if (name.endswith("Error") and name != _DEFECT) or name in _SPEAKERS:
                    return [*args, *(k.value for k in keywords)]
                if name in ("append", "extend") and _is_note(owner):
                    return args
                return spoken
            case ast.Assign(targets=[target], value=value) if _is_note(_name(target)):
                return [value]
            case ast.AugAssign(target=target, value=value) if _is_note(_name(target)):
                return [value]
            case ast.FunctionDef(name=name) if _is_note(name):
                return self._returned[name]
            case _:
                return []

    def _texts(self, node: ast.expr, seen: set[ast.expr]) -> Iterator[str]:
        if node in seen:
            return
        seen.add(node)
        text = _shape_of(node)
        if text is not None:
            yield text
        for one in self._inside(node):
            yield from self._texts(one, seen)

    def _inside(self, node: ast.expr) -> list[ast.expr]:  # noqa: PLR0911 (a case each)
        match node:
            case ast.Constant() | ast.Compare() | ast.Attribute():
                return []
            case ast.JoinedStr(values=parts):
                return [part.value for part in parts if isinstance(part, ast.FormattedValue)]
            case ast.Name(id=name):
                return self._assigned[name]
            case ast.Call(func=ast.Name(id="cast"), args=[_, value]):
                return [value]
            case ast.Call(func=func, args=args):
                owner = [func.value] if isinstance(func, ast.Attribute) else []
                return [*self._returned[_name(func)], *args, *owner]
            case ast.Subscript(value=value):
                return [value]
            case ast.Dict(values=values):
                return values
            case ast.ListComp(elt=element) | ast.GeneratorExp(elt=element):
                return [element]
            case ast.IfExp(body=body, orelse=orelse):
                return [body, orelse]
            case _:
                return [one for one in ast.iter_child_nodes(node) if isinstance(one, ast.expr)]


def spoken(folder: Path, without: Collection[str] = ()) -> dict[str, str]:
    """Give each sentence that is raised or noted below a folder, with its file.

    Files whose path ends as one of `without` are left out.
    """
    found: dict[str, str] = {}
    for file in sorted(folder.rglob("*.py")):
        if any(str(file).endswith(f"/{name}") for name in without):
            continue
        for text in _Module(ast.parse(file.read_text())).sentences():
            if len(text.split()) > 2 and _WORD.search(text) and not _NOT_FOR_PEOPLE.search(text):
                found.setdefault(one_place(text), str(file.relative_to(folder)))
    return found


def written(place: Path) -> set[str]:
    """Give every text of a file, or below a folder, whoever it is for."""
    files = [place] if place.is_file() else place.rglob("*.py")
    trees = (ast.parse(file.read_text()) for file in files)
    nodes = (node for tree in trees for node in ast.walk(tree))
    return {one_place(text) for node in nodes if (text := _shape_of(node)) is not None}
