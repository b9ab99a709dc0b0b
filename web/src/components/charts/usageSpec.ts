/** Tokens as stacked bars: what came from a cache, the rest of the input, the output. Pure. */
import type { Schemas } from "@/api/client";

type Usage = Schemas["UsageInfo"];

export interface PartWords {
  tokens: string;
  kind: string;
  cached: string;
  input: string;
  output: string;
}

export interface UsageWords extends PartWords {
  day: string;
}

const DAY_MS = 86_400_000;

export function usageSpec(days: readonly Usage[], since: string, until: string, words: UsageWords): object {
  const byDay = new Map(days.map((each) => [each.name, each]));
  const values = daysBetween(since, until).flatMap((day) =>
    partsOf(byDay.get(day), words).map((part) => ({ day, ...part })),
  );
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    data: { values },
    mark: "bar",
    encoding: {
      // Days are names here: nothing shifts them into another zone.
      x: { field: "day", type: "ordinal", title: words.day, axis: { labelAngle: -45, labelOverlap: true } },
      y: { field: "tokens", type: "quantitative", title: words.tokens, axis: { format: "~s" } },
      color: partColours(words, { orient: "top" }),
      tooltip: [{ field: "day", title: words.day }, { field: "kind", title: words.kind }, { field: "tokens", title: words.tokens, format: "," }],
    },
  };
}

/** What the tokens of a sum were. */
export function partsOf(used: Usage | undefined, words: PartWords): { kind: string; tokens: number }[] {
  const cached = used?.cached_read_tokens ?? 0;
  return [
    { kind: words.cached, tokens: cached },
    { kind: words.input, tokens: (used?.input_tokens ?? 0) - cached },
    { kind: words.output, tokens: used?.output_tokens ?? 0 },
  ];
}

export const partColours = (words: PartWords, legend: object): object => ({
  field: "kind",
  type: "nominal",
  title: words.kind,
  scale: { domain: [words.cached, words.input, words.output] },
  legend: { title: null, ...legend },
});

/** Every day from the first to the last, days without use too. */
export function daysBetween(since: string, until: string): string[] {
  const days: string[] = [];
  for (let at = Date.parse(since); at <= Date.parse(until); at += DAY_MS) {
    days.push(new Date(at).toISOString().slice(0, 10));
  }
  return days;
}

/** The day in UTC, as the server counts; so many days back. */
export const utcDay = (back = 0, now = Date.now()): string =>
  new Date(now - back * DAY_MS).toISOString().slice(0, 10);
