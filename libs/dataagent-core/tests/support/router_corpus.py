"""Messages for the router, each with the sub-agent that should get it, or nobody.

Thresholds may be chosen on the tuning messages. Those that are held out have the same author; they
are not for choosing.
"""

from dataclasses import dataclass
from pathlib import Path

import yaml

from dataagent_core.subagents.built_in_subagents import built_in_subagents
from dataagent_core.subagents.subagent import SubAgent, SubAgentTrigger

FILE = Path(__file__).parents[1] / "subagents" / "corpus" / "router.yaml"
NOBODY = "nobody"


@dataclass(frozen=True)
class RouterCorpus:
    """Sub-agents, and messages by the name of who should get them."""

    subagents: tuple[SubAgent, ...]
    tuning: dict[str, list[str]]
    held_out: dict[str, list[str]]


def load_router_corpus() -> RouterCorpus:
    """Load the built-in sub-agents, those made for the test, and the messages."""
    read = yaml.safe_load(FILE.read_text())
    made = [
        SubAgent(
            id=row["name"],
            name=row["name"],
            system_prompt="Do it.",
            trigger=SubAgentTrigger(
                description=row["description"],
                examples=tuple(row["examples"]),
                keywords=tuple(row["keywords"]),
            ),
        )
        for row in read["subagents"]
    ]
    return RouterCorpus((*built_in_subagents(), *made), read["tuning"], read["held_out"])
