"""Words that may lead to devices or the kernel's own files, however the path is written."""

import re

from dataagent_core.permissions.shell.word import UNKNOWN

# The folder a relative path begins in is not known for certain, so `proc/self` may be `/proc/self`.
# A project may well have a folder `dev`; only what devices are called counts there.
_DEVICE = re.compile(
    r"""(?:^|(?<=[=:,@]))            # the word, or the value of an option
        (?: /[./]*(?:dev(?![\w-])(?!/+null$|/+stdin$|/+std(?:out|err)$|/+fd/)|(?:proc|sys)(?![\w.-]))
          | (?:\./+)*(?:proc|sys)(?:/|$)
          | (?:\./+)*dev/+(?:tcp|udp|fd|shm|pts|mem|kmem|port|zero|full|u?random|[shv]d[a-z]|nvme|loop|tty)
          | .*\.\./(?:.*/)?(?:dev|proc|sys)(?:/|$)
          | /[./]*[\w.-]*\x00          # a pattern for the first folder of all
          | (?:.*/)?(?:self|thread-self|\d+|\x00)/+(?:environ|root|mem|fd|cwd|exe|maps)(?:/|$)
        )""",
    re.VERBOSE | re.DOTALL,
)
# How many letters of a group of options may stand before the value of the last one.
_LETTERS_MAX = 6


def may_be_device(text: str) -> bool:
    """Say whether a word may name a device or a file of the kernel."""
    if "/" not in text and text not in {"proc", "sys"}:
        return False
    if text.startswith("/dev/fd/" + UNKNOWN):
        return False
    if _DEVICE.search(text):
        return True
    if not text.startswith("-") or text.startswith("--"):
        return False
    return any(_DEVICE.match(text[place:]) for place in range(2, 2 + _LETTERS_MAX))
