"""S2 §5: the loop, the context window, the events of a run."""

from tests.requirements.entry import Requirement
from tests.requirements.s2.section import implemented

AGENT: tuple[Requirement, ...] = (
    *implemented(
        {
            "5.1-loop": "The agent thinks, calls tools, sees their results and answers.",
            "5.1-permission": "Every call is allowed, denied or asked about by rules.",
            "5.1-cost": "Tokens and cost are told after every model call, and for the run so far.",
            "5.1-retry": "The pause before a retry doubles each time, up to a cap.",
            "5.2.1-stored": "Compression changes what the model is shown, not what is stored.",
            "5.2.3-defaults": "The shares of the window have the document's defaults.",
            "5.2.3-settings": "Each of the eight parameters is a setting.",
            "5.2.4": "At the trigger older messages are summarized, recent ones kept, and an event says so.",
            "5.2.5-none": "Below the trigger every message is sent.",
            "5.2.5-truncate": "Without a usable summary the older messages are cut.",
            "5.2.5-summarize": "With a model the older messages become a summary.",
            "5.2.6": "Tokens are estimated by the share of Chinese in a text: 2, 3 or 4 characters each.",
            "5.2.7-presets": "The preset models have the document's context and output lengths.",
            "5.2.7-override": "Length, output, prices and capabilities of a model can be configured.",
            "5.1-skill-executor": "SkillExecutor matches a skill to a query and carries out its tools.",
            "5.2.8-event": "`context_compressed` has every field of the document.",
            "5.2.8-console": "The console shows how full the context is.",
            "5.2.10-token-count": "TestTokenCount: input, output and cached tokens add up.",
            "5.2.10-model-limits": "TestModelLimits: the answer is taken from the context.",
            "5.2.10-usable": "TestCalculateUsableContext: a stated input limit holds instead.",
            "5.2.10-is-overflow": "TestIsOverflow: at the usable context it is an overflow.",
            "5.2.10-should-compact": "TestShouldCompact: four fifths are the threshold.",
            "5.2.10-constants": "TestConstants: 20,000, 40,000, `skill`, 8,192.",
            "5.2.10-prune": "TestPruneToolOutputs: tool results older than the protected 40,000 tokens are left out.",
            "5.2.10-prune-minimum": "TestPruneToolOutputs: less than 20,000 tokens are not worth it.",
            "5.2.10-prune-turns": "TestPruneToolOutputs: the last two turns are protected.",
            "5.2.10-prune-stop": "TestPruneToolOutputs: an earlier summary ends the search.",
            "5.2.10-result": "TestCompactionResult: what was left out, and how much it saved.",
            "5.2.10-manager-overflow": "TestCompactionIntegration: ContextWindowManager.is_overflow(messages, model_limits).",
            "5.2.10-manager-compact": "TestCompactionIntegration: ContextWindowManager.should_compact(messages, threshold).",
            "5.3-states": "What a run is doing can be asked for: nothing, working, waiting for permission.",
            "5.3-event-types": "Every event has its SSE type.",
            "5.2.10-protected-tools": "What was read of a skill is never left out.",
            "5.1-subagent-router": "SubAgentRouter matches a sub-agent to a query.",
            "5.3-permission-flow": "A call that needs permission is asked about, answered, carried out and observed.",
        }
    ),
)
