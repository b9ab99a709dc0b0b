"""S3, the staged graph, operations agents, memory and tracing: correctness properties 1 to 17."""

from tests.requirements.entry import Requirement, numbered

_SENTENCES = {
    1: "The graph's state passes from node to node without losing a field.",
    2: "A state written to a checkpoint and read again equals the first.",
    3: "The graph routes exactly as its condition function says.",
    4: "The delay before retry n is the base delay times two to the power n.",
    5: "listTools() names every registered MCP tool, each with a valid JSON schema.",
    6: "An MCP call with fitting arguments runs; any other gets a structured error with details.",
    7: "A tool that runs longer than its time-out fails with a time-out error.",
    8: "The audit log has every tool call: name, input, output or error, duration.",
    9: "A memory that was added can be fetched by its id with the same content.",
    10: "A query in one scope never returns a memory of another.",
    11: "Memory search returns its results by falling similarity.",
    12: "A memory past its expiry cannot be found after the clean-up.",
    13: "A tool call runs when the policy allows that user, and is otherwise denied as such.",
    14: "A trace has every model call, every tool call and the right parents.",
    15: "An operation that needs approval puts the agent into waiting_approval and goes no further.",
    16: "Streamed events come in the order of execution and none is lost.",
    17: "Calling an existing service changes neither its interface nor its behaviour.",
}

S3: tuple[Requirement, ...] = numbered(
    "S3", _SENTENCES, implemented=frozenset({*range(1, 14), 15, 16})
)
