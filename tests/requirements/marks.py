"""Finds which test shows which requirement by reading the test files, without running them."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class MarkedTest:
    """One `@pytest.mark.requirement(...)` on one test function."""

    requirement: str
    place: str
    is_property: bool
    examples: int | None  # None where the profile decides


class UnreadableMarkError(Exception):
    """A mark whose place or form cannot be read from the file."""


def marked_tests(root: Path = ROOT) -> tuple[MarkedTest, ...]:
    """Every mark in the tests of the repository."""
    files = sorted({*root.glob("libs/*/tests/**/*.py"), *root.glob("tests/**/*.py")})
    return tuple(
        mark
        for file in files
        if "node_modules" not in file.parts  # third-party code
        for mark in marks_in(file.read_text("utf-8"), str(file.relative_to(root)))
    )


def marks_in(source: str, file: str) -> list[MarkedTest]:
    """Every mark in one file; a mark that is not a decorator of a test is refused."""
    if "requirement" not in source:  # parsing is slow, and most files have no marks
        return []
    found: list[MarkedTest] = []
    written = 0
    for node in ast.walk(ast.parse(source, file)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found += _marks_of(node, file)
        written += _is_mark(node)
    if written != len(found):
        raise UnreadableMarkError(
            f"{file}: write @pytest.mark.requirement on test functions only, as a decorator."
        )
    return found


def _marks_of(function: ast.FunctionDef | ast.AsyncFunctionDef, file: str) -> Iterator[MarkedTest]:
    place = f"{file}::{function.name}"
    for decorator in function.decorator_list:
        if not _is_mark(decorator):
            continue
        match decorator:
            case ast.Call(args=[ast.Constant(value=str(requirement))], keywords=[]) if (
                function.name.startswith("test_")
            ):
                decorators = function.decorator_list
                examples = _examples(decorators, place)
                yield MarkedTest(requirement, place, _is_property(decorators), examples)
            case _:
                raise UnreadableMarkError(f"{place}: a mark holds one literal id, on a test.")


def _is_mark(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr="requirement") as name):
            return ast.unparse(name) == "pytest.mark.requirement"
        case _:
            return False


def _examples(decorators: list[ast.expr], place: str) -> int | None:
    for keyword in (keyword for call in _calls(decorators) for keyword in call.keywords):
        match keyword:
            case ast.keyword(arg="max_examples", value=ast.Constant(value=int(count))):
                return count
            # `examples(100)` and `rounds(8, soak=400)` of tests/counts.py: what CI runs.
            case ast.keyword(
                arg="max_examples",
                value=ast.Call(
                    func=ast.Name(id="examples" | "rounds"),
                    args=[ast.Constant(value=int(count))],
                ),
            ):
                return count
            case ast.keyword(arg="max_examples"):
                raise UnreadableMarkError(f"{place}: write max_examples as a number.")
            case _:
                pass
    return None


def _is_property(decorators: list[ast.expr]) -> bool:
    names = [ast.unparse(call.func) for call in _calls(decorators)]
    return any(name.rpartition(".")[2] == "given" for name in names)


def _calls(decorators: list[ast.expr]) -> list[ast.Call]:
    return [decorator for decorator in decorators if isinstance(decorator, ast.Call)]
