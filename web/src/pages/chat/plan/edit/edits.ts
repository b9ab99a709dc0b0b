/** The request that makes a draft true: the changes of one version of a plan. Pure. */
import { canChange, keyOf, rowsOf, type PlanDraft } from "@/pages/chat/plan/edit/draft";
import { fieldsOf, requestFields, type Fields, type RequestFields } from "@/pages/chat/plan/edit/fields";
import { movesBetween, orderOf } from "@/pages/chat/plan/edit/order";
import type { Plan } from "@/stream/conversation";

export type Edit =
  | ({ op: "edit"; step_number: number } & RequestFields)
  | { op: "move"; step_number: number; before: number | null }
  | { op: "skip"; step_number: number }
  | ({ op: "add"; description: string; before: number | null } & RequestFields);

/** Steps are changed first and left out last: one that is left out cannot be moved any more. */
export function editsOf(plan: Plan, draft: PlanDraft): Edit[] {
  const rows = rowsOf(plan, draft);
  const skips = rows.flatMap(({ step, skip }) => (step && skip ? [step.number] : []));
  const order = orderOf(plan, draft);
  const numberOf = (key: string | null): number | null => {
    const known = key === null ? undefined : plan.steps.find((step) => keyOf(step.number) === key);
    return known?.number ?? null;
  };
  const stays = order.filter((key) => numberOf(key) !== null);
  const movable = new Set(plan.steps.filter(canChange).map((step) => keyOf(step.number)));
  const moves = movesBetween(
    plan.steps.map((step) => keyOf(step.number)),
    stays,
    (key) => movable.has(key),
  );
  return [
    ...rows.flatMap(({ step, fields, skip, locked }): Edit[] => {
      if (!step || skip || locked) return [];
      const changed = changedFields(fields, fieldsOf(step));
      return changed ? [{ op: "edit", step_number: step.number, ...requestFields(changed) }] : [];
    }),
    ...moves.map(({ key, before }): Edit => ({ op: "move", step_number: Number(key), before: numberOf(before) })),
    ...rows.flatMap(({ key, step, fields }): Edit[] => {
      if (step || !fields.text.trim()) return [];
      const behind = order.slice(order.indexOf(key) + 1).find((each) => numberOf(each) !== null);
      const { text, expectedOutput, prompt, agent, dependencies } = fields;
      const rest = requestFields({ expectedOutput, prompt, agent, dependencies });
      return [{ op: "add", description: text.trim(), before: numberOf(behind ?? null), ...rest }];
    }),
    ...skips.map((step_number): Edit => ({ op: "skip", step_number })),
  ];
}

function changedFields(fields: Fields, now: Fields): Partial<Fields> | null {
  const changed = Object.entries(fields).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(now[name as keyof Fields]));
  return changed.length > 0 ? Object.fromEntries(changed) : null;
}
