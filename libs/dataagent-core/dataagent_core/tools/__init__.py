"""Tools: the pipeline around every call, and what is seen of file operations."""

from dataagent_core.tools.file_tracker import FileOpRecord, FileOpTracker
from dataagent_core.tools.pipeline.tool_pipeline import ToolPipeline

__all__ = ["FileOpRecord", "FileOpTracker", "ToolPipeline"]
