"""The model's script for the kill tests, by user message."""

from typing import Any

# Three seconds of text, each word once, so that a gap or a repeat shows.
WORDS = " ".join(f"w{number}" for number in range(240))
COMMAND = "echo ran >> ran.txt; for i in $(seq 600); do sleep 0.05; done"
NOTE = {"file_path": "/note.txt", "content": "noted\n"}

SCRIPT: dict[str, Any] = {
    "scripts": [
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
