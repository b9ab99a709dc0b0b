"""The model's script for the kill tests, by user message."""

import json
from typing import Any

# Three seconds of text, each word once, so that a gap or a repeat shows.
WORDS = " ".join(f"w{number}" for number in range(240))
COMMAND = "echo ran >> ran.txt; for i in $(seq 600); do sleep 0.05; done"
NOTE = {"file_path": "/note.txt", "content": "noted\n"}

# A plan of two steps at once and two behind them, for runs that are planned.
STEPS = [
    {"step_number": 1, "description": "north: count"},
    {"step_number": 2, "description": "south: count"},
    {"step_number": 3, "description": "draw it", "dependencies": [1]},
    {"step_number": 4, "description": "add up", "dependencies": [1, 2]},
]

SCRIPT: dict[str, Any] = {
    "scripts": [
        {
            "match": r'^\{"message"',
            "steps": [{"text": json.dumps({"confidence": 0.9, "steps": STEPS})}],
        },
        {"match": "^north: count", "steps": [{"text": WORDS, "chunk_delay_s": 0.05}]},
        {"match": "^south: count", "steps": [{"text": "four"}]},
        # The empty turn is the one with which the plan gives two steps to sub-agents.
        {"match": "by a plan", "steps": [{}, {"text": "seven"}, {"text": "It is seven."}]},
        # For tests that need more time while it streams.
        {"match": "tell slowly", "steps": [{"text": WORDS, "chunk_delay_s": 0.15}]},
        {"match": "tell", "steps": [{"text": WORDS, "chunk_delay_s": 0.05}]},
        {
            "match": "run",
            "steps": [
                {
                    "text": "I run it.",
                    "tool_calls": [{"name": "shell", "args": {"command": COMMAND}}],
                },
                {"text": "It ran."},
            ],
        },
        {
            "match": "write",
            "steps": [
                {"text": "I write it.", "tool_calls": [{"name": "write_file", "args": NOTE}]},
                {"text": "It is written."},
            ],
        },
        {"steps": [{"text": "Hello."}]},
    ]
}
