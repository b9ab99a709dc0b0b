"""The conversations of the retrieval set: turns, questions, and the turns that answer them."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

SETS = Path(__file__).parent / "memory_retrieval"


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn; its id is that of the conversation, the session and the turn."""

    id: str
    session_id: str
    seq: int
    at: datetime
    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and the turns that hold the answer."""

    text: str
    gold: tuple[str, ...]
    language: str


@dataclass(frozen=True, slots=True)
class RetrievalSet:
    """All turns and questions of some conversations."""

    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]


def load_set(path: Path) -> RetrievalSet:
    """Read a file, or all files of a folder; a file has one conversation or a list of them."""
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    turns: list[Turn] = []
    questions: list[Question] = []
    for file in files:
        read = json.loads(file.read_text(encoding="utf-8"))
        for conversation in read if isinstance(read, list) else [read]:
            name = conversation["id"]
            turns += list_turns(name, conversation["sessions"])
            questions += (
                Question(
                    one["question"],
                    tuple(f"{name}:{gold}" for gold in one["gold"]),
                    conversation.get("language", ""),
                )
                for one in conversation["questions"]
            )
    return RetrievalSet(tuple(turns), tuple(questions))


def list_turns(name: str, sessions: list[dict[str, object]]) -> list[Turn]:
    """List the turns of a conversation in order."""
    turns: list[Turn] = []
    for number, session in enumerate(sessions, start=1):
        began = datetime.fromisoformat(str(session["date"])).replace(tzinfo=UTC)
        said = session["turns"]
        assert isinstance(said, list)
        for seq, (speaker, text) in enumerate(said, start=1):
            at = began + timedelta(minutes=seq)
            turns.append(Turn(f"{name}:{number}:{seq}", f"{name}-{number}", seq, at, speaker, text))
    return turns
