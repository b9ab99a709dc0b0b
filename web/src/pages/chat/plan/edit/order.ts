/** The order of steps in a draft, and the fewest moves that bring a plan into it. Pure. */
import type { PlanDraft } from "@/pages/chat/plan/edit/draft";
import type { Plan } from "@/stream/conversation";

type Ordered = Pick<PlanDraft, "order" | "added">;

/** The keys of all steps; those the plan got since stand behind the step they follow there. */
export function orderOf(plan: Plan, { order, added }: Ordered): string[] {
  const keys = plan.steps.map((step) => String(step.number));
  const all = new Set([...keys, ...added.map((each) => each.key)]);
  const known = (order ?? []).filter((key) => all.has(key));
  const result = order === null ? keys : known;
  keys.forEach((key, at) => {
    if (result.includes(key)) return;
    const before = keys[at - 1];
    result.splice(before === undefined ? 0 : result.indexOf(before) + 1, 0, key);
  });
  for (const { key } of added) if (!result.includes(key)) result.push(key);
  return result;
}

/** Puts a step where another one stands, which makes room towards where it came from. */
export function movedOnto(order: readonly string[], key: string, target: string): string[] {
  const [from, to] = [order.indexOf(key), order.indexOf(target)];
  return from === -1 || to === -1 ? [...order] : order.toSpliced(from, 1).toSpliced(to, 0, key);
}

/** Moves a step one place up or down. */
export function movedBy(order: readonly string[], key: string, places: -1 | 1): string[] {
  const at = order.indexOf(key);
  const to = at + places;
  if (at === -1 || to < 0 || to >= order.length) return [...order];
  return order.toSpliced(at, 1).toSpliced(to, 0, key);
}

export interface Move {
  key: string;
  before: string | null;
}

/** What has to be moved, last one first: each goes before one that stands where it will stay. */
export function movesBetween(from: readonly string[], to: readonly string[], movable: (key: string) => boolean): Move[] {
  const kept = new Set(longestKept(from, to, movable));
  return to
    .map((key, at): Move => ({ key, before: to[at + 1] ?? null }))
    .filter(({ key }) => !kept.has(key))
    .toReversed();
}

/** The heaviest part of the order that is in both; what cannot be moved weighs more than all others. */
function longestKept(from: readonly string[], to: readonly string[], movable: (key: string) => boolean): string[] {
  const places = to.map((key) => from.indexOf(key));
  const best: { weight: number; before: number }[] = [];
  to.forEach((key, at) => {
    const weight = movable(key) ? 1 : to.length + 1;
    const fitting = best
      .map((each, before) => ({ weight: each.weight, before }))
      .filter(({ before }) => (places[before] ?? 0) < (places[at] ?? 0));
    const longest = fitting.reduce((a, b) => (b.weight > a.weight ? b : a), { weight: 0, before: -1 });
    best.push({ weight: longest.weight + weight, before: longest.before });
  });
  const kept: string[] = [];
  let at = best.reduce((top, each, index) => (each.weight > (best[top]?.weight ?? 0) ? index : top), 0);
  while (at >= 0 && best[at]) {
    kept.push(to[at] as string);
    at = best[at]?.before ?? -1;
  }
  return kept;
}
