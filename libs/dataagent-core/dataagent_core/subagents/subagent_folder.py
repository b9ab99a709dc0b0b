"""The sub-agents of a terminal: files of the project, files of the person, and the built-in ones.

A project's wins over a person's and a person's over a built-in one of the same name. A broken file
is a problem with its line and column; the others still load.
"""

import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Final, Literal

from dataagent_core.config.files.project_folder import is_in_project
from dataagent_core.config.files.text_file import read_text
from dataagent_core.config.limits.subagents import (
    SUBAGENT_FILE_BYTES_MAX,
    SUBAGENT_FILES_CACHED_MAX,
    SUBAGENT_FILES_MAX,
)
from dataagent_core.errors import ConfigurationError, FrontMatterError
from dataagent_core.subagents.subagent import SubAgent
from dataagent_core.subagents.subagent_file import parse_subagent

# Below a project, and below the folder of a person's assistant.
PROJECT_SUBAGENTS: Final = Path(".dataagent/agents")
PERSON_SUBAGENTS: Final = Path("agents")

SubAgentOrigin = Literal["project", "person", "built-in"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SubAgentProblem:
    """Why a file's sub-agent is not offered, or offered with a warning."""

    message: str
    path: str
    line: int | None = None
    column: int | None = None
    is_warning: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedSubAgent:
    """A sub-agent with where it comes from; an overridden one is only shown."""

    subagent: SubAgent
    origin: SubAgentOrigin
    path: Path | None = None
    is_overridden: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SubAgentSet:
    """All that were found, and what is wrong with files."""

    listed: tuple[ListedSubAgent, ...] = ()
    problems: tuple[SubAgentProblem, ...] = ()

    @property
    def subagents(self) -> tuple[SubAgent, ...]:
        """One for each name, without the overridden ones."""
        return tuple(one.subagent for one in self.listed if not one.is_overridden)

    def find(self, name: str) -> ListedSubAgent | None:
        """Find the one that counts under a name."""
        return next(
            (one for one in self.listed if one.subagent.name == name and not one.is_overridden),
            None,
        )


def load_subagents(
    project: Path | None, person: Path | None, built_in: Sequence[SubAgent]
) -> SubAgentSet:
    """Read the folders; a file that has not changed is not read again."""
    problems: list[SubAgentProblem] = []
    found: list[ListedSubAgent] = []
    origins: tuple[tuple[SubAgentOrigin, Path | None], ...] = (
        ("project", project),
        ("person", person),
    )
    for origin, folder in origins:
        if folder is None:
            continue
        if origin == "project" and not is_in_project(folder):
            message = "the folder is a link that leads out of the project: copy its files here."
            problems.append(SubAgentProblem(message=message, path=str(folder)))
        else:
            found += _load_folder(folder, origin, problems)
    found += [ListedSubAgent(subagent=one, origin="built-in") for one in built_in]
    winners: dict[str, ListedSubAgent] = {}
    for one in found:
        winners.setdefault(one.subagent.name, one)
    listed = [replace(one, is_overridden=winners[one.subagent.name] is not one) for one in found]
    return SubAgentSet(listed=tuple(listed), problems=tuple(problems))


def _load_folder(
    folder: Path, origin: SubAgentOrigin, problems: list[SubAgentProblem]
) -> list[ListedSubAgent]:
    found: dict[str, ListedSubAgent] = {}
    for path in _list_files(folder, problems):
        read = _read_file(path, folder)
        if isinstance(read, SubAgentProblem):
            problems.append(read)
            continue
        first = found.get(read.name)
        if first is not None:
            problems.append(
                SubAgentProblem(
                    message=f"{read.name!r} is already the name of {first.path}: give one of "
                    "them another name.",
                    path=str(path),
                )
            )
            continue
        problems += [
            SubAgentProblem(message=text, path=str(path), is_warning=True) for text in read.warnings
        ]
        found[read.name] = ListedSubAgent(subagent=read, origin=origin, path=path)
    return list(found.values())


def _list_files(folder: Path, problems: list[SubAgentProblem]) -> Iterator[Path]:
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix == ".md")
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        message = f"the folder cannot be read: {error.strerror or error}."
        problems.append(SubAgentProblem(message=message, path=str(folder)))
        return
    if len(paths) > SUBAGENT_FILES_MAX:
        message = f"the folder holds {len(paths)} files, {SUBAGENT_FILES_MAX} are read."
        problems.append(SubAgentProblem(message=message, path=str(folder), is_warning=True))
    yield from paths[:SUBAGENT_FILES_MAX]


def _read_file(path: Path, folder: Path) -> SubAgent | SubAgentProblem:
    try:
        # A link could put a file of the host before a model.
        if not path.resolve().is_relative_to(folder.resolve()):
            return SubAgentProblem(
                message="it is a link that leads out of its folder: copy the file here.",
                path=str(path),
            )
        status = path.stat()
        # A pipe would wait for whoever writes into it.
        if not stat.S_ISREG(status.st_mode):
            return SubAgentProblem(message="it is not a file: move it away.", path=str(path))
    except OSError as error:
        message = f"it cannot be read: {error.strerror or error}."
        return SubAgentProblem(message=message, path=str(path))
    times = (status.st_mtime_ns, status.st_ctime_ns)
    return _read_unchanged(path, *times, status.st_size, status.st_ino, status.st_mode)


@lru_cache(maxsize=SUBAGENT_FILES_CACHED_MAX)
def _read_unchanged(path: Path, *_identity: int) -> SubAgent | SubAgentProblem:
    try:
        text = read_text(path, SUBAGENT_FILE_BYTES_MAX, "a sub-agent")
        if text is None:
            return SubAgentProblem(message="it is gone.", path=str(path))
        return parse_subagent(text, path.stem)
    except FrontMatterError as error:
        return SubAgentProblem(
            message=str(error), path=str(path), line=error.line, column=error.column
        )
    except ConfigurationError as error:
        return SubAgentProblem(message=str(error), path=str(path))
