/** Lines of a report, added up. Pure. */
import type { Usage } from "@/pages/usage/queries";

export interface Sum {
  calls: number;
  tokens: number;
  cachedShare: number;
  knownCost: number;
  unpriced: number;
}

export function sumOf(lines: readonly Usage[]): Sum {
  const add = (pick: (line: Usage) => number) => lines.reduce((sum, line) => sum + pick(line), 0);
  const input = add((line) => line.input_tokens);
  return {
    calls: add((line) => line.calls),
    tokens: add((line) => line.total_tokens),
    cachedShare: input === 0 ? 0 : add((line) => line.cached_read_tokens) / input,
    knownCost: add((line) => line.known_cost),
    unpriced: add((line) => line.unpriced_calls),
  };
}

/** How much of a budget is used: the limit that is nearer counts. */
export function shareOf(budget: {
  cost_max: number | null;
  tokens_max: number | null;
  used_cost: number;
  used_tokens: number;
}): number {
  const share = (used: number, max: number | null) =>
    max === null ? 0 : max === 0 ? 1 : used / max;
  return Math.max(share(budget.used_cost, budget.cost_max), share(budget.used_tokens, budget.tokens_max));
}

/** When the present day or month ends, in UTC. */
export function nextPeriod(period: "day" | "month", now = new Date()): Date {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  return new Date(period === "day" ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1, 1));
}
