"""How the property tests of the suites run: as many examples as the project's own profile says."""

from hypothesis import HealthCheck, settings

# One inherited test runs for several adapters (`differing_executors`), and its examples share one
# store, which is why each example uses ids of its own.
shared_store_examples = settings(
    deadline=None,
    suppress_health_check=[
        HealthCheck.differing_executors,
        HealthCheck.function_scoped_fixture,
        HealthCheck.too_slow,
    ],
)
