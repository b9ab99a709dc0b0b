"""A message worked on by a plan of which one step fails, so that the rest is planned again."""

import json
from typing import Any

YARDS = "Compare the yards"
EAST, WEST, BOTH, LETTER = "East yard", "West yard", "Put both together", "Write to the owner"
ESTIMATE = "Estimate the west"
YARDS_ANSWER = "The east yard is larger [step 6]."


def _planned(*steps: tuple[int, str, list[int]]) -> dict[str, Any]:
    listed = [
        {"step_number": number, "description": description, "dependencies": needs}
        for number, description, needs in steps
    ]
    return {"text": json.dumps({"confidence": 0.95, "steps": listed})}


# By how the message to the model begins.
YARDS_SCRIPTS: list[dict[str, Any]] = [
    {
        "match": rf'^{{"message": "{YARDS}[\s\S]*"first_number": 5\b',
        "steps": [_planned((5, ESTIMATE, []), (6, BOTH, [1, 5]))],
    },
    {
        "match": rf'^{{"message": "{YARDS}',
        "steps": [
            _planned((1, EAST, []), (2, WEST, []), (3, BOTH, [1, 2]), (4, LETTER, [3])),
        ],
    },
    # The plan takes turns of its own between those of the model.
    {"match": f"^{YARDS}", "steps": [{"text": YARDS_ANSWER}] * 8},
    {"match": f"^{EAST}", "steps": [{"text": "The east yard has 30 trees."}]},
    {"match": f"^{WEST}", "steps": [{"text": "", "failures": [{"status": 400}] * 9}]},
]
