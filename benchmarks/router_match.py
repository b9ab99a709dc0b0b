"""Who gets a message: how often the router's rules and scores are right before a model is asked.

Messages of core's tests for the built-in sub-agents, some made up beside them, and for nobody.
"""
# ruff: noqa: E501 (a row of a table is one line)

import asyncio
import sys
from dataclasses import dataclass
from pathlib import Path

from dataagent_core.config.limits.subagents import ROUTER_CANDIDATES_ASKED_MAX
from dataagent_core.models.embeddings.embedder import Embedder
from dataagent_core.models.embeddings.local.wordllama_embedder import WordLlamaEmbedder
from dataagent_core.subagents.route import Route
from dataagent_core.subagents.subagent import SubAgent
from dataagent_core.subagents.subagent_matcher import SubAgentMatcher

sys.path.append(str(Path(__file__).parents[1] / "libs/dataagent-core/tests/support"))

from router_corpus import NOBODY, RouterCorpus, load_router_corpus


@dataclass
class RouterCounts:
    """What became of messages, in numbers of them."""

    messages: int = 0
    # Decided without a model: right, or for the wrong one.
    right: int = 0
    false: int = 0
    # For somebody, and left to the agent itself, which reads what each one is for.
    left: int = 0
    # A model is asked, and the right one is among those it is told of.
    asked: int = 0
    offered: int = 0

    def add(self, route: Route, wanted: str) -> None:
        """Count one message."""
        self.messages += 1
        if route.is_unsure:
            able = [one.name for one in route.candidates if not one.excluded]
            self.asked += 1
            self.offered += wanted in (*able[:ROUTER_CANDIDATES_ASKED_MAX], NOBODY)
        elif (route.chosen or (NOBODY,)) == (wanted,):
            self.right += 1
        elif route.chosen:
            self.false += 1
        else:
            self.left += 1

    def row(self) -> str:
        """Give the shares as cells of a table."""
        shares = [self.right, self.false, self.left, self.asked]
        return " | ".join(f"{count / self.messages:.2f}" for count in shares)


async def count_routes(
    subagents: tuple[SubAgent, ...], messages: dict[str, list[str]], embedder: Embedder | None
) -> RouterCounts:
    """Route every message without a model."""
    matcher, counts = SubAgentMatcher(subagents, embedder), RouterCounts()
    for wanted, texts in messages.items():
        for text in texts:
            counts.add(await matcher.route(text), wanted)
    return counts


async def measure(corpus: RouterCorpus) -> str:
    """Write the section of RESULTS.md."""
    rows, offered = "", ""
    for name, messages in (("tuning", corpus.tuning), ("**held out**", corpus.held_out)):
        nobody = {NOBODY: messages[NOBODY]}
        somebody = {name: texts for name, texts in messages.items() if name != NOBODY}
        for kind, part in (("for somebody", somebody), ("for nobody", nobody)):
            found = await count_routes(corpus.subagents, part, WordLlamaEmbedder())
            words = await count_routes(corpus.subagents, part, None)
            rows += f"| {name}, {kind} | {found.messages} | {found.row()} | {words.row()} |\n"
            if kind == "for somebody":
                offered += f" {found.offered} of {found.asked} ({name})"
    return f"""\
## Router
Rules and scores alone, before a model is asked (`benchmarks/router_match.py`), with
{len(corpus.subagents)} sub-agents: 5 built in, the others made up. One person wrote them and all
messages, in two languages. Shares of messages: right without a model; false, given to the wrong one; left to
the agent itself; asked, a model call is needed.

| messages | number | offline embeddings: right | false | left | asked | words alone: right | false | left | asked |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|
{rows}
Where a model is asked about a message for somebody, the right one is among those it is told of:
{offered.strip().replace(") ", "), ")}.
"""


def section() -> str:
    """Write the section of RESULTS.md."""
    return asyncio.run(measure(load_router_corpus()))


if __name__ == "__main__":
    print(section())
