"""What a person tells, asks and corrects, and the model that answers each time in the same way."""

from typing import Any

TOLD = "My favourite colour is teal."
TOLD_ANSWER = "Good to know."
ASKED = "What is my favourite colour?"
ASKED_ANSWER = "Teal, as you said."
CORRECTED = "My favourite colour is amber."
BEFORE = "My home town is Basel."
AFTER = "My home town is Lyon."
TEAM = (
    "Ann Miller works at Acme Corporation. Bob Stone works at Acme Corporation. "
    "Carol King works at Acme Corporation. Ann Miller knows Bob Stone. "
    "Bob Stone knows Carol King."
)
TEAM_ANSWER = "A small team."

MEMORY_SCRIPT: dict[str, Any] = {
    "scripts": [
        {"match": said, "steps": [{"text": answer}] * 4}
        for said, answer in (
            ("Ann Miller works", TEAM_ANSWER),
            (f"^{TOLD}", TOLD_ANSWER),
            ("What is my favourite", ASKED_ANSWER),
        )
    ]
}
