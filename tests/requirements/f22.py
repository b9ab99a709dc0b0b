"""What issue 22 promises of memory and its graph, beyond S2 §11, S3 9-12 and S0-54."""

from tests.requirements.entry import Requirement

_ITEMS: dict[str, str] = {
    "1-recall": "Memories that pass a score are put before the model with their source, in a budget.",
    "1-recall-free": "Where nothing is remembered, what is sent to the model is as before.",
    "1-used": "A person sees which memories an answer used, and says wrong or forget.",
    "1-tools": "The memory tools stand in the permission group `memory` and in taint.",
    "1-learn": "What a person said in a run is remembered with its source, once, also after a crash.",
    "1-rest": "Memories over REST: list, search, show, add, change, wrong, forget, export, doctor.",
    "1-cli": "`dataagent memory list|search|show|add|forget|export|doctor`.",
    "1-cases": "Types, scopes, expiry, confidence and counts of use are kept with each memory.",
    "2-loop": "Recalled text is marked and cannot be stored again.",
    "2-prompt": "System prompts, skills and instructions are never a source.",
    "2-grounded": "A memory whose words are not in its source span is refused.",
    "2-secret": "Secrets and masked values never become a memory.",
    "2-tainted": "Content of strangers becomes a fact that somebody says so, and nothing else.",
    "2-merge": "Near duplicates merge; texts that differ in a number, name or negation do not.",
    "2-contradiction": "A contradiction closes the older memory, and a search answers as of a moment.",
    "2-forget": "Forgetting leaves no byte in any table or file, and its receipt says so.",
    "2-doctor": "The doctor says how many memories are duplicate, looped, stale, ungrounded or secret.",
    "2-nightly": "A nightly job keeps these rates down.",
    "3-states": "An episode resumes at the state where it stopped, and nothing is doubled.",
    "3-budget": "The extraction of an episode keeps to a budget of calls and tokens.",
    "3-ids": "Ids that an extractor invents are not taken over.",
    "3-rules": "Without a model, rules in two languages extract entities and relations.",
    "3-incremental": "Only communities that changed are computed again.",
    "4-conformance": "The stores of memories and of the graph pass one suite each, on every database.",
    "4-neo4j": "The graph store on a real Neo4j passes the suite.",
    "4-query": "A graph query only reads, and only what belongs to the person.",
    "5-fusion": "Score fusion is the default, RRF an option, and a result explains its score per leg.",
    "5-neighbours": "The turns beside a hit count.",
    "5-embedder": "After a change of the embedder no answer is wrong while vectors are made again.",
    "5-quality": "Retrieval on the set of our own is better than BM25 alone.",
    "6-profile": "A person sees what is known about them.",
    "bad-extractor": "Nonsense and half JSON of an extractor lose nothing.",
    "bad-large": "An episode of 1 MB is read in part, and the reason says so.",
    "bad-neo4j": "Neo4j gone in the middle of an episode: nothing is half linked, and it goes on later.",
    "bad-processes": "Two processes write to one SQLite file.",
    "bad-clock": "A clock that jumps hides no memory.",
    "bad-names": "Names that are instructions reach a model only as data.",
    "bad-words": "A search without words gives nothing and no error.",
    "kill": "Killed at each state of an episode, the pipeline goes on and doubles nothing.",
    "isolation": "Two tenants with random operations on every store never see each other's memory.",
    "walk-console": "In the console: told, asked again, source seen, corrected, asked as of, forgotten.",
    "walk-terminal": "The same in the terminal.",
}

_PLANNED: dict[str, str] = {
    "6-graph": "The memory graph shows communities first and unfolds them, in a walk.",
}

F22: tuple[Requirement, ...] = (
    *(Requirement(f"F22-{number}", text) for number, text in _ITEMS.items()),
    *(Requirement(f"F22-{number}", text, "planned") for number, text in _PLANNED.items()),
)
