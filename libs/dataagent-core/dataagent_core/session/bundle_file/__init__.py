"""A session in one file, to continue in another installation: a zip of JSON, and of the workspace.

    bundle.json      format, version, session
    messages.jsonl   the messages
    events.jsonl     the events in order
    history.json     the model's history: plain messages, no checkpoint
    workspace/...    files, if wanted

It holds no secrets and no code, and its ids are replaced at import. `bundle_writer.py` writes it;
`archive.py` and `bundle_reader.py` read it as untrusted input.
"""

from dataagent_core.session.bundle_file.archive import Archive, open_archive
from dataagent_core.session.bundle_file.bundle_reader import Bundle, read_bundle
from dataagent_core.session.bundle_file.bundle_writer import write_bundle
from dataagent_core.session.bundle_file.workspace import (
    ExtractedFiles,
    checked_target,
    extract_workspace,
)

__all__ = [
    "Archive",
    "Bundle",
    "ExtractedFiles",
    "checked_target",
    "extract_workspace",
    "open_archive",
    "read_bundle",
    "write_bundle",
]
