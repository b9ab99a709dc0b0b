"""A report as HTML, Markdown and PDF."""
