"""Every numbered heading of S2, in its order, so that none is forgotten.

A section has entries of its own, or in the sections below it, or stands in `WITHOUT_ENTRY` with the
reason. §11.5 is there twice: the second one's entries are `S2-11.7`. §16.4's tasks have numbers of
their own; they are written `16.4-1.1`.
"""

from typing import Final

HEADINGS: Final = """
1 1.1 1.2 1.3 1.4
2 2.1 2.2
3 3.1 3.2 3.3
4 4.1 4.2 4.2.1 4.2.2 4.2.3
5 5.1 5.2 5.2.1 5.2.2 5.2.3 5.2.4 5.2.5 5.2.6 5.2.7 5.2.8 5.2.9 5.2.10 5.3 5.3
6 6.1 6.2 6.3 6.4 6.4.1 6.4.2 6.4.3 6.4.4 6.4.5 6.5 6.5.1 6.5.2 6.5.3 6.5.4 6.5.5 6.5.6
6.5.7 6.5.8
7 7.1 7.2 7.2.1 7.2.2 7.2.3 7.2.4 7.2.5 7.2.6 7.3 7.4 7.5
8 8.1 8.2 8.3 8.4 8.4.1 8.4.2 8.4.3 8.4.4 8.4.5 8.4.6 8.4.7
9 9.1 9.2 9.3
10 10.1 10.2 10.2.1 10.2.2 10.2.3 10.2.4 10.2.5 10.2.6 10.2.7 10.3 10.3.1 10.3.2 10.3.3
10.3.4 10.4 10.5
11 11.1 11.2 11.3 11.4 11.5 11.6 11.7
12 12.1 12.2 12.3
13 13.1
14 14.1 14.2 14.3 14.4 14.4.1 14.4.2 14.4.3 14.5
15 15.1 15.2 15.3 15.4 15.5
16 16.1 16.2 16.3 16.4 16.4-1.1 16.4-1.2 16.4-1.3 16.4-2.1 16.4-2.2 16.4-2.3 16.4-3.1
16.4-3.2 16.4-3.3 16.4-4.1 16.4-4.2 16.5 16.6 16.7 16.8 16.9 16.10
A
B
C C.1 C.2 C.2.1 C.2.2 C.2.3 C.2.4 C.2.5 C.2.6 C.2.7 C.2.8
D D.1 D.2 D.3 D.3.1 D.3.2 D.3.3 D.3.4 D.4 D.5 D.5.1 D.5.2 D.5.3 D.6 D.6.1 D.6.2 D.6.3
D.6.4 D.6.5 D.6.6 D.7 D.7.1 D.7.2 D.7.3 D.8 D.9
"""

# An entry `S2-x-y` names what it is about, not the task; these tasks are shown by those.
TASKS: Final = {
    "16.4-1.1": "16.4-POST-skills-match",
    "16.4-1.2": "16.4-subagents",
    "16.4-1.3": "16.4-plan-step",
    "16.4-2.1": "16.6-mcp",
    "16.4-2.2": "16.4-2.2-optimizer",
    "16.4-2.3": "5.2.10",
    "16.4-3.1": "15.2-SubAgents",
    "16.4-3.2": "15.2-SkillRegistry",
    "16.4-3.3": "15.3-ActivityTimeline",
    "16.4-4.2": "16.4-4.2-caches",
}

WITHOUT_ENTRY: Final = {
    "1.1": "An introduction.",
    "1.4": "The picture of §1.2.",
    "2.1": "The picture of §2; the entry is about its rule.",
    "2.2": "Folders; ours are in ARCHITECTURE.md.",
    "3.2": "The console's technology: web/README.md.",
    "5.2.2": "Modules; ours are in ARCHITECTURE.md.",
    "5.2.9": "A comparison.",
    "6.5.1": "The idea of §6.5.2 to §6.5.8.",
    "7.3": "The code of `memory_search` (§7.1) as an example.",
    "8.4.6": "The picture of §8.4.5.",
    "10.2.1": "The picture of §10.2.2.",
    "10.3.1": "Modules of §10.3.3.",
    "10.3.2": "The picture of §10.3.3.",
    "10.3.4": "Code that uses §10.3.3.",
    "11.2": "Modules; ours will be in ARCHITECTURE.md.",
    "13.1": "The schema; the entries of §13 are by table.",
    "15.1": "Drawings; the pages are in §15.2.",
    "15.4": "State by a library of its choice; ours: web/README.md.",
    "16.1": "How far the document's project was.",
    "16.2": "How far the document's project was.",
    "16.3": "What the document's project lacked: the entries of §16.4.",
    "16.4-4.1": "docs/documented-names.md says why there is no `chat-v2`.",
    "16.5": "An order of work.",
    "16.7": "Risks; the manual choice of a sub-agent is in §9.3.",
    "16.8": "Its tables are in §13, `plan_steps` in `16.4-plan-step`.",
    "16.9": "Milestones.",
    "16.10": "Files; ours are in ARCHITECTURE.md.",
    "C.1": "Links.",
    "C.2.1": "Another program's questions; ours are in §6.4.",
    "C.2.3": "Another program's tool calls; ours are in §7.5.",
    "C.2.7": "A comparison.",
    "C.2.8": "Decisions of §6.4 and §7.5.",
    "D.1": "An introduction.",
    "D.6.1": "Advice to authors, which the built-in skill `skill-writing` gives.",
    "D.6.2": "Advice to authors, which the built-in skill `skill-writing` gives.",
    "D.6.3": "Advice to authors, which the built-in skill `skill-writing` gives.",
    "D.6.4": "Advice to authors, which the built-in skill `skill-writing` gives.",
    "D.6.5": "Advice to authors, which the built-in skill `skill-writing` gives.",
    "D.7.2": "Tests with models of a vendor: `evals/` run with any model.",
    "D.8": "A comparison of §8 and this appendix.",
    "D.9": "Links.",
}
