"""Pictures and PDF documents of a conversation, from their references to what a model is sent."""

from dataagent_core.engine.attachments.media.loader import MediaLoader

__all__ = ["MediaLoader"]
