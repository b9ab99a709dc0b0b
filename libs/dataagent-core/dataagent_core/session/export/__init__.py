"""Exports a session as a document: Markdown, one HTML page, or JSON. Pure functions."""

from dataagent_core.session.export.as_html import html_page
from dataagent_core.session.export.as_json import json_document
from dataagent_core.session.export.as_markdown import markdown_document
from dataagent_core.session.export.turns import ExportedSession, ExportedTurn, turns_of

__all__ = [
    "ExportedSession",
    "ExportedTurn",
    "html_page",
    "json_document",
    "markdown_document",
    "turns_of",
]
