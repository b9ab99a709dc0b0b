"""Permissions: what may run, what is asked, and the gate where it waits."""

from dataagent_core.permissions.gate import (
    approval_for,
    ask_approval,
    loop_decision,
    program_approval,
    repeat_approval,
)
from dataagent_core.permissions.policy import Judgement, Policy, judge
from dataagent_core.permissions.rule_files.load import load_rules
from dataagent_core.permissions.rule_files.rule_saver import ProjectRules, RuleSaver, save_if_wanted
from dataagent_core.permissions.rules import Rule, RuleSet
from dataagent_core.permissions.run_permissions import RunPermissions, RunQuestions, RunTerms
from dataagent_core.permissions.sampling_policy import judge_sampling

__all__ = [
    "Judgement",
    "Policy",
    "ProjectRules",
    "Rule",
    "RuleSaver",
    "RuleSet",
    "RunPermissions",
    "RunQuestions",
    "RunTerms",
    "approval_for",
    "ask_approval",
    "judge",
    "judge_sampling",
    "load_rules",
    "loop_decision",
    "program_approval",
    "repeat_approval",
    "save_if_wanted",
]
