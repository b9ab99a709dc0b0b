"""Sessions with facts planted at random, for the benchmark of the context window.

A fact is of one of the kinds that are pinned and stands once in a turn, among much that matters to
nobody: in what the person says, in an answer, in the failure of a tool, in the plan. The same seed
gives the same session.
"""

import random
from dataclasses import dataclass
from typing import Any

KINDS = ("instruction", "decision", "plan", "error", "identifier", "number", "ruled_out")
FACTS_OF_A_KIND = 20


@dataclass(frozen=True, slots=True)
class Fact:
    """A statement in a turn that every later request must contain word for word."""

    turn: int
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Turn:
    """The user message, the model's call, and its answer."""

    said: str
    call: dict[str, Any]
    answer: str


def session(turns: int, seed: int) -> tuple[list[Turn], list[Fact]]:
    """Make a session and the facts in it."""
    chance = random.Random(seed)
    facts = _facts(chance, turns)
    by_turn: dict[int, list[Fact]] = {}
    for fact in facts:
        by_turn.setdefault(fact.turn, []).append(fact)
    return [_turn(chance, n, by_turn.get(n, [])) for n in range(turns)], facts


def held(facts: list[Fact], turn: int) -> list[Fact]:
    """List the facts that a request of this turn must contain; of plans, only the current one."""
    before = [fact for fact in facts if fact.turn < turn]
    plans = [fact for fact in facts if fact.turn <= turn and fact.kind == "plan"]
    return [fact for fact in before if fact.kind != "plan" or fact is plans[-1]]


def _facts(chance: random.Random, turns: int) -> list[Fact]:
    places = chance.sample(range(turns - 1), min(FACTS_OF_A_KIND * len(KINDS), turns - 1))
    facts: list[Fact] = []
    for position, turn in enumerate(sorted(places)):
        kind = KINDS[position % len(KINDS)]
        number = f"{chance.randrange(10_000, 99_999)}"
        text = {
            "instruction": f"Never use the table payments_{number}.",
            "decision": f"We decided to weigh region {number} twice.",
            "plan": f"compare store {number}",
            "error": f"disk {number} is full",
            "identifier": f"/data/in/{number}/orders.csv",
            "number": f"Region {number} sold {chance.randrange(10**6):,} units.",
            "ruled_out": f"Joining on column {number} did not work.",
        }[kind]
        facts.append(Fact(turn, kind, text))
    return facts


def _turn(chance: random.Random, n: int, facts: list[Fact]) -> Turn:
    said, answer = [_noise(chance, 40)], [_noise(chance, 90)]
    call: dict[str, Any] = {"name": "lookup", "args": {"words": chance.randrange(150, 450)}}
    for fact in facts:
        if fact.kind == "instruction":
            said.append(fact.text)
        elif fact.kind == "identifier":
            said.append(f"It lies in {fact.text} I think.")
        elif fact.kind == "error":
            call = {"name": "fail", "args": {"why": fact.text}}
        elif fact.kind == "plan":
            todo = {"content": fact.text, "status": "in_progress"}
            call = {"name": "write_todos", "args": {"todos": [todo]}}
        else:
            answer.append(fact.text)
        if fact.kind == "number":
            call = {"name": "measure", "args": {"seed": n}}
    return Turn(f"Turn {n:04}. {' '.join(said)}", call, " ".join(answer))


def _noise(chance: random.Random, words: int) -> str:
    pool = (
        "the", "orders", "of", "this", "customer", "came", "late", "and", "were", "shipped",
        "again", "while", "stock", "grew", "in", "every", "store", "we", "looked", "at",
    )  # fmt: skip
    parts = [" ".join(chance.choices(pool, k=10)) + "." for _ in range(words // 10)]
    return " ".join(parts)
