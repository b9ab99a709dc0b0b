"""Compiles the workflow of a pattern from the runs that the log still has, and compares it."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from dataagent_core.patterns.interaction_pattern import InteractionPattern
from dataagent_core.patterns.trace import InteractionTrace
from dataagent_core.patterns.workflow.compile_workflow import compile_workflow
from dataagent_core.patterns.workflow.read_runs import read_clean_runs
from dataagent_core.patterns.workflow.read_workflow import read_workflow
from dataagent_core.patterns.workflow.workflow import Workflow
from dataagent_core.patterns.workflow.workflow_record import read_record
from dataagent_core.patterns.workflow.write_workflow import make_diff, write_workflow
from dataagent_core.session.stores.bundle import Stores


@dataclass(frozen=True, slots=True)
class CompiledWorkflow:
    """A workflow as a file, and how it differs from the one before."""

    workflow: Workflow
    text: str
    # Empty: it is as it was.
    diff: str


async def compile_pattern(pattern: InteractionPattern, stores: Stores) -> CompiledWorkflow:
    """Compile a workflow without storing it (`workflow_record.with_text`)."""
    traces = await read_clean_runs(pattern, stores)
    # Comparing long texts takes time.
    return await asyncio.to_thread(_compile, pattern, traces)


def compare_file(pattern: InteractionPattern, text: str) -> CompiledWorkflow:
    """Read a file strictly, and say how it differs from the pattern's workflow."""
    workflow = read_workflow(text)
    before = read_record(pattern)
    diff = make_diff("" if before is None else before.text, text, workflow.name)
    return CompiledWorkflow(workflow, text, diff)


def _compile(pattern: InteractionPattern, traces: Sequence[InteractionTrace]) -> CompiledWorkflow:
    compiled = compile_workflow(pattern, traces)
    before = read_record(pattern)
    if before is not None:
        # A person may have given it another name.
        compiled = replace(compiled, name=before.read().name)
    return compare_file(pattern, write_workflow(compiled))
