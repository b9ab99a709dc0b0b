"""S2 §6: planning, the person's part, and patterns from what was done together."""

from tests.requirements.entry import Requirement
from tests.requirements.s2.section import implemented

THINKING: tuple[Requirement, ...] = (
    *implemented(
        {
            "6.1": "Complex work is planned as a whole and carried out step by step.",
            "6.2": "A query is simple, moderate or complex by the document's five signs.",
            "6.3": "A complex query gives work_plan, step_start, thought, observe, step_end and a synthesis.",
            "6.4.1": "Clarification, decision, permission and loop warning are four kinds of request.",
            "6.4.2-triggers": "A plan of more than three steps, vague words or low confidence ask a clarification.",
            "6.4.2-own-words": "ask_clarification: an option, or the person's own words.",
            "6.4.2-timeout": "An optional question that nobody answers takes its recommended option.",
            "6.4.2-required": "A required question waits.",
            "6.4.2-events": "The events of questions and answers have the document's fields.",
            "6.4.3-triggers": "Branches, confirmations and risks found in a step ask a decision.",
            "6.4.3-multiple": "ask_decision: several options may be chosen where that is allowed.",
            "6.4.4-detector": "The third equal call within 60 seconds is a loop.",
            "6.4.4-before": "A loop is found before the call runs; stop, continue, correct and skip do what they say.",
            "6.4.4-answers": "DoomLoopIntervention has the document's four values.",
            "6.4.3-step-number": "ask_decision says in which step of its run it was asked.",
            "6.4.4-settings": "Threshold and window of the loop detector are settings.",
            "6.4.5-settings": "The time-outs of questions are settings.",
            "6.5.2": "InteractionTrace records goal, questions, decisions, steps, calls, corrections, outcome.",
            "6.5.3": "A pattern is extracted from a successful trace.",
            "6.5.4": "Similarity: signature 50 %, entities 20 %, recency 15 %, success rate 15 %.",
            "6.5.5": "Above 80 % a pattern is offered, from 50 % it is a hint, below it is not used.",
            "6.5.6": "A pattern learns from each use: rate, corrections, preferences, tools, age.",
            "6.5.7-admission": "A pattern is used after three successes at 60 %.",
            "6.5.7-removal": "Failing, poor, unused and unwanted patterns are marked, demoted, archived, deleted.",
            "6.5.8-tenants": "Patterns of one tenant are not seen by another.",
            "6.5.8-privacy": "Personal data and secrets are taken out before a pattern is kept.",
            "6.5.8-control": "Tenant and conversation can switch it off; people see, edit and delete their patterns.",
        }
    ),
)
