"""What a person says of the last answer: stored in the session's log, and learned from at once."""

import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING

from dataagent_cli.messages import Messages
from dataagent_cli.output.json_document import write_document
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.sessions.lookup import existing_session
from dataagent_cli.transcript.rating_line import say_rating
from dataagent_cli.wiring import TENANT, App, local_user, open_stores
from dataagent_core.errors import DataAgentError, NotFoundError, ValidationError

if TYPE_CHECKING:
    from dataagent_core.events.feedback import Rating
    from dataagent_core.session import RunSummary
    from dataagent_core.session.stores.bundle import Stores

logger = logging.getLogger(__name__)

# What a person types, and what is stored.
RATINGS: "Mapping[str, Rating]" = {"good": "up", "bad": "down", "none": ""}


def parse_rating(text: str, say: Messages) -> "tuple[Rating, str]":
    """Read `bad THE SUMS ARE WRONG`: a rating, and what should have been different."""
    word, *rest = text.split(maxsplit=1) or [""]
    if word.lower() not in RATINGS:
        key = "rate_bad_words" if word else "rate_no_words"
        raise ValidationError(say(key, given=one_line(word)))
    return RATINGS[word.lower()], "".join(rest).strip()


async def rate_session(app: App, session_id: str, words: str, as_json: bool) -> None:
    """Rate the last answer of a session."""
    rating, correction = parse_rating(words, app.say)
    async with open_stores(app.settings) as stores:
        await existing_session(app, stores, session_id)
        run_id = await rate_last_answer(app, stores, session_id, rating, correction)
    if as_json:
        said = {"rating": rating, "correction": correction}
        write_document({"session_id": session_id, "run_id": run_id, **said})
    else:
        app.output.note(say_rating(rating, correction, app.say))


async def rate_last_answer(
    app: App, stores: "Stores", session_id: str, rating: "Rating", correction: str
) -> str:
    """Store the feedback on the run of the newest message, and return the run's id."""
    from dataagent_core.language.unicode_text import storable
    from dataagent_core.session import runs_of
    from dataagent_core.session.feedback import give_feedback

    runs = [one for one in await runs_of(stores.log, session_id) if one.kind == "message"]
    if not runs:
        raise NotFoundError(app.say("command_nothing_said"))
    await give_feedback(
        stores.log,
        session_id,
        runs[-1].run_id,
        rating=rating,
        correction=storable(correction),
        by=local_user(),
    )
    try:
        await _learn(app, stores, session_id, runs[-1])
    except DataAgentError:
        # What was said is stored; that a pattern did not learn from it is no matter of who said it.
        logger.exception("the feedback on run %s was not learned from", runs[-1].run_id)
    return runs[-1].run_id


async def _learn(app: App, stores: "Stores", session_id: str, run: "RunSummary") -> None:
    from dataagent_core.engine.assembly.agent_patterns import open_pattern_library
    from dataagent_core.engine.loops.learn_run import learn_feedback
    from dataagent_core.patterns import LearningSwitches
    from dataagent_core.planning.plan_terms import read_message_planning
    from dataagent_core.session.prompt import own_words

    message = await stores.messages.get_message(session_id, run.message_id)
    if message is None:
        return
    metadata, settings = message.metadata or {}, app.settings
    wanted = read_message_planning(metadata).learn is not False
    await learn_feedback(
        open_pattern_library(settings, TENANT, settings.home),
        stores.log,
        session_id,
        run.run_id,
        goal=own_words(message.content, metadata),
        user_id="",
        switches=LearningSwitches(tenant=settings.pattern_learning, session=wanted),
    )
