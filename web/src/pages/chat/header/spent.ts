/** What a session has used so far, of all its runs. Pure. */
import type { Conversation } from "@/stream/conversation";

export interface Total {
  tokens: number;
  /** What is known of the cost; null when nothing is. */
  cost: number | null;
  /** Some run's price is not known: the cost is a lower bound. */
  partly: boolean;
  currency: string;
}

export function totalOf(conversation: Conversation): Total {
  const total: Total = { tokens: 0, cost: null, partly: false, currency: "USD" };
  for (const { spent } of Object.values(conversation.runs)) {
    if (!spent) continue;
    const { input_tokens = 0, output_tokens = 0 } = spent.tokens;
    total.tokens += spent.tokens.total_tokens ?? input_tokens + output_tokens;
    total.currency = spent.currency;
    if (spent.cost === null) total.partly = true;
    else total.cost = (total.cost ?? 0) + spent.cost;
  }
  // A run that called no model costs nothing, which says nothing of the others.
  if (total.partly && total.cost === 0) total.cost = null;
  return total;
}

export interface NearBudget {
  scope: string;
  period: string;
  share: number;
}

const NEAR = 0.8;

/** The budgets that are nearly used, as the newest run saw them. */
export function nearBudgets(conversation: Conversation): NearBudget[] {
  const newest = Object.values(conversation.runs).findLast((run) => run.spent);
  return (newest?.spent?.budgets ?? []).flatMap((budget) => {
    const share = Math.max(
      part(budget.used_cost, budget.cost_max),
      part(budget.used_tokens, budget.tokens_max),
    );
    return share >= NEAR ? [{ scope: String(budget.scope), period: String(budget.period), share }] : [];
  });
}

const part = (used: unknown, max: unknown): number =>
  typeof used === "number" && typeof max === "number" && max > 0 ? used / max : 0;
