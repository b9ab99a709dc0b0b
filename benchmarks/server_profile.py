"""Our server, sampled: `serve` as always, and at the end a file saying whose code took the CPU.

Every 5 ms of CPU the main thread is looked at, and the sample belongs to the innermost package
named below; what the other threads took (database, files) is the CPU the main one did not. Run by
`server_tool_turns.py`; writes $HOME/profile.json.
"""

import json
import os
import signal
import sys
import time
from collections import Counter
from pathlib import Path
from types import FrameType

EVERY_S = 0.005
OWNERS = {
    "openai": "the OpenAI SDK",
    "langchain_openai": "LangChain",
    "langchain_core": "LangChain",
    "langchain": "LangChain",
    "langsmith": "LangChain",
    "deepagents": "deepagents",
    "langgraph": "LangGraph",
    "dataagent_core": "ours",
    "dataagent_server": "ours",
    # At the bottom of every stack: what is found there belongs to nobody above.
    "uvicorn": "event loop and other",
    "starlette": "the web framework",
    "fastapi": "the web framework",
}
samples: Counter[str] = Counter()


def owner(frame: FrameType | None) -> str:
    while frame is not None:
        name = str(frame.f_globals.get("__name__", "")).split(".")[0]
        if name in OWNERS:
            return OWNERS[name]
        frame = frame.f_back
    return "event loop and other"


def sample(_number: int, frame: FrameType | None) -> None:
    samples[owner(frame)] += 1


def main() -> None:
    from dataagent_server.cli.main import main as serve

    signal.signal(signal.SIGPROF, sample)
    # The start is not what is measured: the benchmark says when.
    signal.signal(signal.SIGUSR1, begin)
    try:
        serve()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        main_share = (time.thread_time() - began[0]) / (time.process_time() - began[1])
        total = sum(samples.values())
        shares = {name: count / total * main_share for name, count in samples.items()}
        shares["threads of the database and of file tools"] = 1 - main_share
        Path(os.environ["HOME"], "profile.json").write_text(json.dumps(shares))


began = [0.0, 0.0]


def begin(_number: int, _frame: FrameType | None) -> None:
    began[:] = time.thread_time(), time.process_time()
    signal.setitimer(signal.ITIMER_PROF, EVERY_S, EVERY_S)


if __name__ == "__main__":
    sys.exit(main())
