"""The built-in model: plays the guided demo, and otherwise says that no model is configured."""

import re
from typing import TYPE_CHECKING

from dataagent_core.models.demo_script import DEMO_STEPS, RECALL
from dataagent_core.models.script import Scenario, Script, Step

if TYPE_CHECKING:
    from dataagent_core.models.scripted import ScriptedChatModel

DEMO_PROMPT = (
    "Which product categories of our shop earned most in 2025, and how did revenue go month by "
    "month? Draw a chart, write a report I can send on, and a short note in /note.md."
)

NO_MODEL_ANSWER = """\
No model is configured, so I can only play the demo (`dataagent demo`). To get real answers:

- set a key, for example `ANTHROPIC_API_KEY`, `OPENAI_API_KEY`, `GOOGLE_API_KEY`, \
`DEEPSEEK_API_KEY` or `DASHSCOPE_API_KEY`; or
- start [Ollama](https://ollama.com) on this machine; or
- set `DATAAGENT_MODEL=provider:name`, with `OPENAI_BASE_URL` for a local endpoint.

`dataagent doctor` checks the result.
"""

DEMO_SCRIPT = Script(
    scripts=(
        Scenario(match=rf"\A{re.escape(DEMO_PROMPT)}\Z", recall=RECALL, steps=DEMO_STEPS),
        Scenario(steps=(Step(text=NO_MODEL_ANSWER, chunk_chars=80),)),
    )
)


def demo_model() -> "ScriptedChatModel":
    """Make the demo model; it needs no key and no network."""
    from dataagent_core.models.scripted import ScriptedChatModel

    return ScriptedChatModel(script=DEMO_SCRIPT, model_name="demo")
