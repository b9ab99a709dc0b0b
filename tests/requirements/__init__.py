"""The requirements manifest: everything the documents promise, and whether it is there yet.

A test shows an entry with `@pytest.mark.requirement("S0-1")`. `tests/test_requirements.py` fails
when an implemented entry has no test, when a test names no entry, and when a planned entry has a
test: whoever implements it says so here.
"""

from tests.requirements.entry import Requirement
from tests.requirements.f3 import F3
from tests.requirements.f4 import F4
from tests.requirements.f5 import F5
from tests.requirements.f6 import F6
from tests.requirements.f7 import F7
from tests.requirements.f8 import F8
from tests.requirements.f9 import F9
from tests.requirements.f16_people import F16_PEOPLE
from tests.requirements.f21 import F21
from tests.requirements.f22 import F22
from tests.requirements.features import FEATURES
from tests.requirements.s0 import S0
from tests.requirements.s2 import S2
from tests.requirements.s3 import S3
from tests.requirements.s4 import S4

REQUIREMENTS: tuple[Requirement, ...] = (
    *S0,
    *S2,
    *S3,
    *S4,
    *FEATURES,
    *F3,
    *F4,
    *F5,
    *F6,
    *F7,
    *F8,
    *F9,
    *F16_PEOPLE,
    *F21,
    *F22,
)

__all__ = ["REQUIREMENTS", "Requirement"]
