"""A corpus of skills in two languages: prompts to tune scores on, and prompts that were held out.

The tuning prompts stand with the skills, whose triggers were written with them in view. Fresh are
the prompts of `fresh.yaml`, written when the triggers were fixed, and the evals of the built-in
skills. Those of every other skill calibrate the weights and the threshold; the rest are held out.
`second.yaml` is held out too: prompts for every skill, written from names and descriptions alone;
so is `third.yaml`, whose prompts have ids, dates, addresses and keys in them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from dataagent_core.skills import Skill, SkillScope, SkillTrigger
from dataagent_core.skills.built_in_skills import built_in_folder
from dataagent_core.skills.evals import NO_SKILL, SkillEvals, load_evals
from dataagent_core.skills.skill_folder import load_folder

FOLDER = Path(__file__).parents[1] / "skills" / "corpus"
_NOT_SKILLS = {"none", "fresh", "second", "third"}


@dataclass(frozen=True)
class Corpus:
    """Skills with their prompts."""

    skills: tuple[Skill, ...]
    tuning: dict[str, SkillEvals]
    calibration: dict[str, SkillEvals]
    held_out: dict[str, SkillEvals]
    second_held_out: dict[str, SkillEvals]
    third_held_out: dict[str, SkillEvals]


def load_corpus() -> Corpus:
    """Load the skills made for the test and those that are built in."""
    rows = [row for file in sorted(FOLDER.glob("*.yaml")) for row in _rows(file)]
    built_in = load_folder(built_in_folder(), SkillScope.SYSTEM).skills
    tuning = {row["name"]: _evals(row) for row in rows}
    tuning[NO_SKILL] = SkillEvals(should_not=tuple(_read(FOLDER / "none.yaml")))
    fresh = _read_evals("fresh")
    fresh |= {each.name: load_evals(each.folder) for each in built_in if each.folder}
    names = sorted(fresh)
    return Corpus(
        skills=(*map(_skill, rows), *built_in),
        tuning=tuning,
        calibration={name: fresh[name] for name in names[::2]},
        held_out={name: fresh[name] for name in names[1::2]},
        second_held_out=_read_evals("second"),
        third_held_out=_read_evals("third"),
    )


def _read_evals(name: str) -> dict[str, SkillEvals]:
    return {skill: _evals(row) for skill, row in _read(FOLDER / f"{name}.yaml").items()}


def _read(file: Path) -> Any:
    return yaml.safe_load(file.read_text())


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    if file.stem not in _NOT_SKILLS:
        yield from _read(file)


def _evals(row: dict[str, Any]) -> SkillEvals:
    return SkillEvals(
        should=tuple(row.get("should", ())), should_not=tuple(row.get("should_not", ()))
    )


def _skill(row: dict[str, Any]) -> Skill:
    return Skill(
        id=row["name"],
        name=row["name"],
        description=row["description"],
        content="",
        tags=tuple(row["tags"]),
        trigger=SkillTrigger(phrases=tuple(row["triggers"])),
    )
