"""Pictures and PDF documents of a conversation, from references to content of a request."""

from dataagent_core.engine.attachments.media.loader import MediaLoader

__all__ = ["MediaLoader"]
