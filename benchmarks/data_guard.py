"""Time the guard takes for TPC-H's 22 questions, beside parsing and writing them back alone.

Medians over the questions of each question's own median, for each of four dialects, and the
slowest question, in CPU time: it waits for nothing. The baseline is one parse and one regeneration
with sqlglot, without a check.
"""

import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROUNDS = 15
SUPPORT = Path(__file__).parents[1] / "libs" / "dataagent-core" / "tests" / "support"


def median_ms(act: Callable[[], object]) -> float:
    act()
    samples: list[float] = []
    for _ in range(ROUNDS):
        began = time.process_time()
        act()
        samples.append(time.process_time() - began)
    return statistics.median(samples) * 1e3


def main() -> dict[str, float]:
    sys.path.insert(0, str(SUPPORT))
    from sql_data import ENGINES, Engine, catalogue
    from sql_honest_tpch import tpch

    from dataagent_core.tools.data.guard import check
    from dataagent_core.tools.data.guard.parse.sql_dialects import get_sql_dialect, write_sql

    def alone(sql: str, engine: Engine) -> str:
        traits = get_sql_dialect(engine)
        tree = traits.parse(sql)[0]
        assert tree is not None
        return write_sql(tree, traits)

    figures: dict[str, float] = {}
    checks: list[float] = []
    baselines: list[float] = []
    for engine in ENGINES:
        known = catalogue(engine)
        times = [median_ms(lambda q=q, c=known: check(q, c)) for q in tpch(engine)]
        figures[f"guard_{engine}_ms"] = statistics.median(times)
        checks += times
        baselines += [median_ms(lambda q=q, e=engine: alone(q, e)) for q in tpch(engine)]
    figures["guard_ms"] = statistics.median(checks)
    figures["guard_slowest_ms"] = max(checks)
    figures["guard_parse_and_write_ms"] = statistics.median(baselines)
    figures["guard_ratio"] = figures["guard_ms"] / figures["guard_parse_and_write_ms"]
    return figures


if __name__ == "__main__":
    print(json.dumps(main(), indent=2))
