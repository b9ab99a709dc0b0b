/**
 * What a person is changing in a plan, beside the plan itself: the plan may go on or be changed by
 * others meanwhile, and what was typed stays. Pure.
 */
import { fieldsOf, type Fields } from "@/pages/chat/plan/edit/fields";
import { orderOf } from "@/pages/chat/plan/edit/order";
import type { Plan, PlanStep } from "@/stream/conversation";

export interface PlanDraft {
  /** The version that was read when the change began. */
  version: number;
  /** What the changed steps said then, by number. */
  base: Readonly<Record<number, Fields>>;
  changes: Readonly<Record<number, Partial<Fields>>>;
  skips: readonly number[];
  added: readonly AddedStep[];
  /** Keys of steps; null: as the plan has them, added ones at the end. */
  order: readonly string[] | null;
}

export interface AddedStep extends Fields {
  key: string;
}

/** One step in the dialog: what the plan says, with what the person changes. */
export interface DraftRow {
  key: string;
  /** Null: added here. */
  step: PlanStep | null;
  fields: Fields;
  skip: boolean;
  /** It has begun or is over, so it stays as it is. */
  locked: boolean;
  /** What somebody else made of fields that are changed here too. */
  theirs: Partial<Fields>;
}

/** A change whose step has begun meanwhile, or is gone. */
export interface LostChange {
  number: number;
  text: string;
}

export const emptyDraft = (plan: Plan): PlanDraft => ({
  version: plan.version ?? 0,
  base: {},
  changes: {},
  skips: [],
  added: [],
  order: null,
});

export const keyOf = (number: number): string => String(number);

export const canChange = (step: PlanStep): boolean => step.status === "pending";

export function rowsOf(plan: Plan, draft: PlanDraft): DraftRow[] {
  const steps = new Map(plan.steps.map((step) => [keyOf(step.number), step]));
  const added = new Map(draft.added.map((each) => [each.key, each]));
  return orderOf(plan, draft).flatMap((key): DraftRow[] => {
    const step = steps.get(key);
    if (step) return [rowOf(step, draft)];
    const own = added.get(key);
    return own ? [{ key, step: null, fields: own, skip: false, locked: false, theirs: {} }] : [];
  });
}

function rowOf(step: PlanStep, draft: PlanDraft): DraftRow {
  const now = fieldsOf(step);
  const key = keyOf(step.number);
  if (!canChange(step)) return { key, step, fields: now, skip: false, locked: true, theirs: {} };
  const changes = draft.changes[step.number] ?? {};
  const base = draft.base[step.number] ?? now;
  const theirs = Object.fromEntries(
    Object.entries(now).filter(([name, value]) => {
      const field = name as keyof Fields;
      const isMine = changes[field] !== undefined && !same(changes[field], value);
      return isMine && !same(base[field], value);
    }),
  );
  return { key, step, fields: { ...now, ...changes }, skip: draft.skips.includes(step.number), locked: false, theirs };
}

/** Changes fields of a step, of the plan or added; a field that says what the plan says is no change. */
export function withFields(plan: Plan, draft: PlanDraft, key: string, fields: Partial<Fields>): PlanDraft {
  const step = plan.steps.find((each) => keyOf(each.number) === key);
  if (!step) {
    return { ...draft, added: draft.added.map((each) => (each.key === key ? { ...each, ...fields } : each)) };
  }
  const now = fieldsOf(step);
  const all = { ...draft.changes[step.number], ...fields };
  const left = Object.fromEntries(Object.entries(all).filter(([name, value]) => !same(value, now[name as keyof Fields])));
  const { [step.number]: _old, ...others } = draft.changes;
  const isChanged = Object.keys(left).length > 0;
  return {
    ...draft,
    base: { ...draft.base, [step.number]: draft.base[step.number] ?? now },
    changes: isChanged ? { ...others, [step.number]: left } : others,
  };
}

export function withSkip(draft: PlanDraft, number: number, skip: boolean): PlanDraft {
  const others = draft.skips.filter((each) => each !== number);
  return { ...draft, skips: skip ? [...others, number] : others };
}

export function withAdded(plan: Plan, draft: PlanDraft): PlanDraft {
  const last = draft.added.reduce((max, { key }) => Math.max(max, Number(key.slice(ADDED.length))), 0);
  const key = `${ADDED}${last + 1}`;
  const added = { key, text: "", expectedOutput: "", prompt: "", agent: "", dependencies: [] };
  return { ...draft, added: [...draft.added, added], order: [...orderOf(plan, draft), key] };
}

export const withoutAdded = (draft: PlanDraft, key: string): PlanDraft => ({
  ...draft,
  added: draft.added.filter((each) => each.key !== key),
});

export function lostOf(plan: Plan, draft: PlanDraft): LostChange[] {
  const open = new Set(plan.steps.filter(canChange).map((step) => step.number));
  const changed = Object.entries(draft.changes).map(([number, { text, prompt, expectedOutput }]) => ({
    number: Number(number),
    text: [text, expectedOutput, prompt].filter(Boolean).join("\n"),
  }));
  const skipped = draft.skips.map((number) => ({ number, text: "" }));
  return [...changed, ...skipped].filter(({ number }) => !open.has(number));
}

/** Numbers of steps never look like this. */
const ADDED = "new ";

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
