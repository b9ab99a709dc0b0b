"""How much of a workspace is kept: so many files, so many bytes of each, so many in all. Pure."""

from dataclasses import dataclass

from dataagent_core.config.limits import SHADOW_BYTES_MAX, SHADOW_FILE_BYTES_MAX, SHADOW_FILES_MAX


@dataclass(slots=True)
class Budget:
    """What is left to be kept in one look."""

    files: int = SHADOW_FILES_MAX
    size_bytes: int = SHADOW_BYTES_MAX

    def takes(self, size_bytes: int) -> bool:
        """Say whether one more file of this size is kept, and count it."""
        if size_bytes > min(SHADOW_FILE_BYTES_MAX, self.size_bytes) or self.files <= 0:
            return False
        self.files -= 1
        self.size_bytes -= size_bytes
        return True
