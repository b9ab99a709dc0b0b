"""The built-in model: plays the guided demo, and otherwise says that no model is configured."""

import re
from typing import TYPE_CHECKING

from dataagent_core.models.scripted.demo_script import RECALL, demo_steps
from dataagent_core.models.scripted.demo_words import CHINESE, ENGLISH, DemoWords
from dataagent_core.models.scripted.script import Scenario, Script, Step

if TYPE_CHECKING:
    from dataagent_core.models.scripted.scripted_model import ScriptedChatModel

DEMO_PROMPT = ENGLISH.prompt

NO_MODEL_ANSWER = """\
No model is configured, so I can only play the demo (`dataagent demo`). To get real answers:

- set a key, for example `ANTHROPIC_API_KEY`, `OPENAI_API_KEY`, `GOOGLE_API_KEY`, \
`DEEPSEEK_API_KEY` or `DASHSCOPE_API_KEY`; or
- start [Ollama](https://ollama.com) on this machine; or
- set `DATAAGENT_MODEL=provider:name`, with `OPENAI_BASE_URL` for a local endpoint.

`dataagent doctor` checks the result.
"""

# What follows when a person gave a sub-agent a task by name: it has the same model.
NO_MODEL_LATER = (
    "No model is configured, so nothing was done. `dataagent doctor` says what is missing."
)


def _scenario(words: DemoWords) -> Scenario:
    prompt = rf"\A{re.escape(words.prompt)}\Z"
    return Scenario(match=prompt, recall=RECALL, steps=demo_steps(words))


DEMO_SCRIPT = Script(
    scripts=(
        *map(_scenario, (ENGLISH, CHINESE)),
        Scenario(steps=(Step(text=NO_MODEL_ANSWER, chunk_chars=80), Step(text=NO_MODEL_LATER))),
    )
)


def demo_model() -> "ScriptedChatModel":
    """Make the demo model; it needs no key and no network."""
    from dataagent_core.models.scripted.scripted_model import ScriptedChatModel

    return ScriptedChatModel(script=DEMO_SCRIPT, model_name="demo")
