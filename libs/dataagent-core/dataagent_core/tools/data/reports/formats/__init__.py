"""Renders a report as HTML, Markdown and PDF."""
