"""A session in one file, to go on with elsewhere: a zip of JSON, and of the workspace if wanted.

    bundle.json      what this is, its version, the session
    messages.jsonl   what was said
    events.jsonl     what happened, in order
    history.json     what the model knows: plain messages, no checkpoint
    workspace/...    files

There are no ids in it that count where it is read, no secrets, and nothing that is more than data.
Writing: `bundle_writer.py`; reading, which trusts nothing: `archive.py`, then `bundle_reader.py`.
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
