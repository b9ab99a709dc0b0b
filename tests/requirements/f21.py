"""What issue 21 promises of plans, the staged loop and patterns, beyond S2 §6 and S3's graph."""

from tests.requirements.entry import Requirement

_ITEMS: dict[str, str] = {
    "1-simple": "A simple message pays nothing: no call and no token more.",
    "1-labels": "The class agrees with labels given by hand, in two languages.",
    "2-limit": "So many steps as `max_concurrent_steps` says run side by side, and no more.",
    "2-fallback": "Without a plan in time, or with none that can be carried out, a run works without.",
    "2-replanned": "What is left after a failed step is planned again, at most so many times.",
    "2-sources": "An answer says which step each part comes from.",
    "2-base": "Steps are numbered from 1 in every recorded log, and by every client.",
    "2-dock": "To-do lists and work plans are one thing to both clients.",
    "3-edit": "Steps are edited, moved, left out and added before and during the run, as events.",
    "3-conflict": "Of two people who change one plan, the second is shown the newer one.",
    "3-plan-enter": "The agent proposes plan mode, where a message takes several steps.",
    "3-optional": "Automatic questions are optional, and put only where a person is connected.",
    "3-risk": "Steps that read or take very much, or are of a configured type, are asked about.",
    "3-settings": "Thresholds of a plan's questions are settings.",
    "3-loop": "The answer to a loop warning within a step decides about that step.",
    "4-staged": "A staged run reasons, plans, executes and reviews, by the same executor.",
    "4-rounds": "A review sends work back at most `max_review_rounds` times.",
    "4-choice": "The loop is chosen by assistant, session and message.",
    "5-tainted": "What a stranger wrote never becomes a pattern's instruction.",
    "5-evolution": "A better chain of tools takes the place of the one before.",
    "5-feedback": "Thumbs and corrections are events, and count in the rate.",
    "5-switches": "Learning is switched off for a tenant, a session, a user.",
    "5-sharing": "A pattern reaches another tenant if both agree.",
    "6-compile": "Clean repeats become a readable file with inputs, calls and places for a model.",
    "6-tokens": "A repeated task of eight calls costs a tenth of its first run's tokens at most.",
    "6-asks": "Each call of a workflow is asked about and journalled as always.",
    "6-surprise": "At the first surprise a workflow stops, and the agent goes on.",
    "6-rest": "Workflows are compiled, changed, run and deleted over REST.",
    "6-cli": "`dataagent patterns` lists, shows, compiles, changes, runs and forgets.",
    "7-dock": "The plan's dock: edit and approve; steps with agent, time, cost and result.",
    "bad-planner": "Prose, cycles, unknown agents and 200 steps are no plan, and nothing is lost.",
    "bad-endless": "A step that never ends is ended.",
    "bad-edit": "A step that is under way or over cannot be changed.",
    "bad-tool": "A pattern whose tool is gone or denied is not used.",
    "7-lab": "The pattern laboratory: list, detail as a flow, use, edit, try, delete.",
    "kill-workflow": "Killed at any call, a workflow's run makes no call twice.",
    "kill-server": "A killed server's plans go on, on three databases: no step twice.",
    "kill": "Killed in planning, waves, review and at a plan's question, a run does no step twice.",
    "5-others": "Words of others reach a model only after its person has read them.",
    "walk-plan": "A complex message becomes a plan, is changed, runs in waves, and is answered.",
    "walk-pattern": "A task done three times becomes a pattern, is offered, compiled and run.",
}

F21: tuple[Requirement, ...] = tuple(
    Requirement(f"F21-{number}", text) for number, text in _ITEMS.items()
)
