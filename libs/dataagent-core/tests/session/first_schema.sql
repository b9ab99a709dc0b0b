CREATE TABLE sessions (
    tenant_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    assistant_id TEXT NOT NULL,
    created_at TEXT NOT NULL,
    last_active TEXT NOT NULL,
    state TEXT NOT NULL,
    metadata TEXT NOT NULL,
    PRIMARY KEY (tenant_id, session_id)
);
CREATE INDEX idx_sessions_user ON sessions (tenant_id, user_id, last_active);
CREATE INDEX idx_sessions_assistant ON sessions (tenant_id, assistant_id, last_active);

CREATE TABLE messages (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    message_id TEXT NOT NULL,
    role TEXT NOT NULL,
    content BLOB NOT NULL,
    created_at TEXT NOT NULL,
    metadata TEXT NOT NULL,
    UNIQUE (tenant_id, session_id, message_id)
);

CREATE TABLE agent_execution_events (
    tenant_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    run_id TEXT NOT NULL,
    event_id TEXT NOT NULL,
    event_type TEXT NOT NULL,
    event_data TEXT NOT NULL,
    PRIMARY KEY (tenant_id, session_id, seq),
    UNIQUE (tenant_id, session_id, event_id)
) WITHOUT ROWID;
CREATE INDEX idx_events_type ON agent_execution_events (tenant_id, session_id, event_type, seq);

CREATE TABLE tool_execution_records (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    call_key TEXT NOT NULL,
    tool_name TEXT NOT NULL,
    args_hash TEXT NOT NULL,
    payload BLOB,
    receipt TEXT,
    UNIQUE (tenant_id, run_id, call_key)
);
CREATE INDEX idx_records_session ON tool_execution_records (tenant_id, session_id);
