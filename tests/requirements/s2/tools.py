"""S2 §7 and §16.4 2.2: tools. The file tools have deepagents' names: edit_file, write_file, multi_edit, glob, grep."""

from tests.requirements.entry import Requirement
from tests.requirements.s2.section import implemented

TOOLS: tuple[Requirement, ...] = (
    *implemented(
        {
            "7.1-summary": "summary: content is summarized.",
            "7.1-web_search": "web_search: the web is searched.",
            "7.1-web_scrape": "web_scrape: parts of a page are read.",
            "7.1-files": "The file tools edit, write, edit several times, find files and search in them.",
            "7.1-code_executor": "code_executor: code runs in a sandbox without network.",
            "7.2.1-strategies": "Six strategies find the text to edit, in the document's order.",
            "7.2.1-diff": "An edit answers with a unified diff and the lines added and removed.",
            "7.2.1-line-ends": "LF and CRLF stay what they were.",
            "7.2.2": "Writing makes missing folders and tells bytes and lines.",
            "7.2.3-order": "Several edits are made in order, each on the result of the one before.",
            "7.2.3-atomic": "When one of several edits fails, the file stays as it was.",
            "7.2.4-patterns": "Glob knows *, ?, **/, [seq] and [!seq].",
            "7.2.4-excluded": ".git, node_modules, __pycache__ and binaries are passed over.",
            "7.2.4-limit": "A long result is cut and says so.",
            "7.2.5-filters": "Search by file pattern, with or without case.",
            "7.2.5-context": "Lines around a match are shown.",
            "7.2.6-constants": "50 KB of output, 2,000 characters a line, 2,000 lines a page.",
            "7.2.6-bytes": "truncate_by_bytes never splits a character and counts what it left out.",
            "7.2.6-lines": "truncate_lines_by_bytes pages by offset and limit; the pages are the whole.",
            "7.2.6-notices": "The three notices are the document's, word for word.",
            "7.2.6-every-tool": "Every tool's output is bounded; all of it is kept.",
            "7.4-sequence": "In a sequence each tool gets the result of the one before.",
            "7.4-parallel": "Side by side, tools run at the same time and all results are given.",
            "7.4-condition": "A result decides which step is next.",
            "7.4-fallback": "Alternatives are tried in order when a tool fails.",
            "7.4-length": "A composition has at most five tools.",
            "7.4-counts": "Successes and failures are counted.",
            "7.4-stored": "Compositions are stored, with their counts, per tenant.",
            "16.4-2.2-optimizer": "The order of a composition and what runs at the same time, by what was measured.",
            "7.5-permission": "A call that a rule denies does not run.",
            "7.5-validation": "A call with wrong arguments does not run.",
            "7.5-hooks": "Hooks run before and after a call, in their order.",
            "7.1-memory_search": "memory_search: semantic, keyword or hybrid, with a limit (§7.3).",
            "7.1-memory_create": "memory_create: a new memory.",
            "7.1-graph_query": "graph_query: a Cypher query.",
            "7.1-entity_lookup": "entity_lookup: what is known of an entity.",
            "7.1-episode_retrieval": "episode_retrieval: episodes are found.",
        }
    ),
)
