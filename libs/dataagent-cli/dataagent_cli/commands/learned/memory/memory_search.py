"""`memory search`: what fits a question, now or as of a date, and why it was found."""

from typing import cast

from dataagent_cli.commands.learned.memory.memory_list import write_date
from dataagent_cli.commands.learned.memory.stored_memories import (
    SHORT_ID_CHARS,
    find_scopes,
    open_memories,
    read_moment,
    to_json,
)
from dataagent_cli.output.json_document import write_document
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.transcript.memory_lines import say_memory
from dataagent_cli.wiring import App
from dataagent_core.memory.search.found_memory import FoundMemories
from dataagent_core.memory.search.memory_query import MemoryQuery
from dataagent_core.memory.search_terms import SearchType


async def search_memories(
    app: App,
    query: str,
    *,
    as_of: str | None,
    limit: int,
    search_type: str,
    explain: bool,
    as_json: bool,
) -> None:
    """Print what fits, the best first."""
    wanted = MemoryQuery(
        text=query,
        scopes=tuple(find_scopes(app).values()),
        limit=limit,
        search_type=cast("SearchType", search_type),
        as_of=read_moment(app, as_of),
    )
    found = await open_memories(app).service.find(wanted)
    if as_json:
        write_document(_to_json(found))
        return
    if not found.results:
        app.output.note(app.say("memory_search_none"), dim=True)
    for one in found.results:
        memory = one.memory
        text = say_memory(to_json(memory), app.say)
        head = f"{memory.id[:SHORT_ID_CHARS]}  {one.relevance:.2f}  {text}"
        if as_of is not None:
            head = f"{head}, {write_date(memory.valid_from)} … {write_date(memory.valid_to)}"
        app.output.sentence(head)
        if explain:
            legs = ", ".join(
                f"{app.say(f'memory_leg.{leg.name}')} {leg.share:.3f} ({leg.raw:.3f}, #{leg.rank})"
                for leg in one.legs
            )
            app.output.sentence(f"  {one.score:.3f} = {legs}", dim=True)
    if found.problem:
        app.output.note(one_line(app.say.translate(found.problem)), fg="yellow")


def _to_json(found: FoundMemories) -> dict[str, object]:
    return {
        "results": [
            {
                "memory": to_json(one.memory),
                "score": round(one.score, 4),
                "relevance": round(one.relevance, 4),
                "legs": [
                    {"name": leg.name, "raw": leg.raw, "share": leg.share, "rank": leg.rank}
                    for leg in one.legs
                ],
            }
            for one in found.results
        ],
        "fusion": found.fusion,
        "embedder": found.embedder,
        "problem": found.problem,
    }
