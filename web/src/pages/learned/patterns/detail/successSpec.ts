/** The share of successes after each run, the oldest first: runs of one hour stand as far apart as those of a year. Pure. */
import type { PatternDetail } from "@/api/learned/patterns";
import { formatTime } from "@/i18n/format";

export type Run = PatternDetail["runs"][number];

interface Words {
  at: string;
  rate: string;
  /** Of the axis. */
  number: string;
  run: string;
  worked: string;
  failed: string;
}

export function successSpec(runs: readonly Run[], words: Words): object {
  const values = runs.map(({ at, rate, success }, index) => ({
    number: index + 1,
    at: formatTime(at),
    rate,
    how: success ? words.worked : words.failed,
  }));
  const rate = { field: "rate", type: "quantitative", title: words.rate, scale: { domain: [0, 1] }, axis: { format: "%", tickCount: 3 } };
  const number = { field: "number", type: "ordinal", title: words.number, axis: { labelAngle: 0 } };
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    data: { values },
    // Room for the switch to the table.
    padding: { top: 32, left: 5, right: 5, bottom: 5 },
    encoding: { x: number, y: rate },
    layer: [
      { mark: { type: "line", interpolate: "step-after" } },
      {
        mark: { type: "point", filled: true, size: 70 },
        encoding: {
          shape: { field: "how", type: "nominal", title: words.run, scale: { domain: [words.worked, words.failed], range: ["circle", "cross"] } },
          tooltip: [
            { field: "at", title: words.at },
            { field: "how", title: words.run },
            { field: "rate", title: words.rate, format: ".0%" },
          ],
        },
      },
    ],
  };
}
