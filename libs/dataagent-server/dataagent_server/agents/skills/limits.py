"""Limits of a tenant's skills; core limits the fields and files of one skill."""

from datetime import timedelta
from typing import Final

SKILLS_PER_TENANT_MAX: Final = 1_000
VERSIONS_PER_SKILL_MAX: Final = 50
# Sets of skills in this process's memory: one for each tenant and project that is in use.
SETS_CACHED_MAX: Final = 256
# When system skills that could not all be read are read again.
SYSTEM_SKILLS_RETRY_S: Final = 60.0
# How long a set on disk stays after the last agent that used it.
SET_FOLDERS_KEPT: Final = timedelta(hours=1)
