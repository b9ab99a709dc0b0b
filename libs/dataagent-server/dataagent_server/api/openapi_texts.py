"""The sentences at the head of the API's reference."""

from typing import Final

DESCRIPTION: Final = """\
Everything a person can do with DataAgent, for programs.

**Sign in** with `X-API-Key: KEY` or `Authorization: Bearer KEY`; browsers use a cookie and send
`X-CSRF-Token` with every change.

**Errors** always have one form: `{"error_code", "message", "details", "request_id"}`. A value that
cannot be used is 422 `VALIDATION_ERROR`. Another tenant's things are 404, just like missing ones.

**Live events** come over `WS /ws/chat/{session_id}` or as server-sent events; both can be left and
taken up again at any number.
"""

TAGS: Final = [
    {"name": "server", "description": "Whether it is well, and which version it is"},
    {"name": "chat", "description": "Send messages, follow and stop what comes of them"},
    {"name": "sessions", "description": "Conversations, their messages and events"},
    {"name": "runs", "description": "The work done for one message"},
    {"name": "usage", "description": "What models were used for, and what they may be"},
    {"name": "requests", "description": "What waits for a person's decision"},
    {"name": "agents", "description": "Assistants and sub-agents"},
    {"name": "workspaces", "description": "Files an agent works on"},
    {"name": "data", "description": "Sources, queries, results, charts, metrics"},
    {"name": "mcp", "description": "MCP servers: tools from elsewhere, for each person their own"},
    {"name": "reports", "description": "Reports of data: kept, run again, run by the clock"},
    {"name": "auth", "description": "Signing in and out"},
    {"name": "keys", "description": "API keys"},
    {"name": "users", "description": "People and their roles"},
    {"name": "tenants", "description": "Organisations and their limits"},
    {"name": "projects", "description": "Groups of sessions inside a tenant"},
    {"name": "audit", "description": "What was changed, by whom, and whether the record is whole"},
    {"name": "credentials", "description": "Keys of model providers, encrypted"},
]
