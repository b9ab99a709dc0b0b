"""What the issues promise beyond the documents' numbered properties."""

from tests.requirements.entry import Requirement

_SPINE = {
    # Events, settings, models
    "events-closed-set": "The set of events is closed; anything else is refused when read.",
    "sse-rendering": "Every event has one pure rendering with S2's type and fields.",
    "settings-provenance": "`config show` prints each value and where it came from.",
    "model-detection": "Without a model, one is found by key, then Ollama, then `demo` with a line.",
    "missing-key": "An unknown provider or a missing key is an error naming what to set.",
    "retry-events": "A failing endpoint gives retry events with growing delays and Retry-After.",
    "unreachable-endpoint": "When retries end, a recoverable error and then `done` follow.",
    "fallback-model": "When the model stays away, the fallback model takes over.",
    "call-limit": "A run stops at its limit of model calls and says so.",
    "third-party-endpoint": "A server somebody else wrote works through OPENAI_BASE_URL.",
    # Engine
    "malformed-tool-args": "Malformed tool arguments go back to the model; the run goes on.",
    "unknown-tool": "A call of an unknown tool goes back to the model; the run goes on.",
    "subagent-guards": "Every guard of the main agent also wraps every sub-agent.",
    "parallel-interrupts": "Several requests may be open at once; each is answered by its id.",
    "subagent-interrupt": "A sub-agent's request reaches the person and its answer the sub-agent.",
    "memory": "agent.md and the project's AGENTS.md reach the model and are kept.",
    "skills": "The model sees the skills' names first and a skill's text when it chooses it.",
    "workspace-confinement": "No file tool reaches outside the workspace root.",
    "missing-workspace": "A workspace that does not exist is a clear error.",
    # Sessions and storage
    "kill-resume": "After SIGKILL anywhere a run resumes: no gap, no repeat, no call run twice.",
    "session-lock": "Two processes cannot run one session; a killed one leaves no lock behind.",
    "corrupt-database": "A corrupt database file is a clear error and is left as it is.",
    "newer-database": "A database of a newer version is a clear error and is left as it is.",
    "full-disk": "A full disk is a clear error and loses nothing that was committed.",
    "checkpoint-growth": "Two hundred steps in one session stay under 30 MB.",
    # Command line
    "exit-codes": "0 done, 1 failed, 2 wrong use, 3 rejected or unasked, 4 time-out, 130 cancelled.",
    "json-output": "`--json` prints one to_dict() per line and nothing else.",
    "bad-prompt": "An empty or a very large prompt is a clear error.",
    "non-utf8-input": "Input that is not UTF-8 is a clear error.",
    "demo": "`dataagent demo` plays a whole run with no key, no network and no terminal.",
}

FEATURES: tuple[Requirement, ...] = tuple(
    Requirement(f"F2-{name}", sentence) for name, sentence in _SPINE.items()
)
