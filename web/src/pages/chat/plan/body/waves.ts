/** Which steps of a plan run side by side: those that wait for the same depth of others. Pure. */
import type { Plan, PlanStep } from "@/stream/conversation";

/** Groups in the order in which they run; the steps of one may run at the same time. */
export function wavesOf({ steps, version }: Pick<Plan, "steps" | "version">): PlanStep[][] {
  // The items of a to-do list are done one after the other.
  if (version === null) return steps.map((step) => [step]);
  const left = new Map(steps.map((step) => [step.number, step]));
  const waves: PlanStep[][] = [];
  while (left.size > 0) {
    const free = [...left.values()].filter((step) => !step.dependencies.some((number) => number !== step.number && left.has(number)));
    // A plan whose steps wait for each other is refused by the server; here they are shown as they stand.
    const wave = free.length > 0 ? free : [...left.values()].slice(0, 1);
    for (const step of wave) left.delete(step.number);
    waves.push(...inTime(wave));
  }
  return waves;
}

/** Of steps that could run at the same time, a later one may have begun only when the others were over. */
function inTime(wave: readonly PlanStep[]): PlanStep[][] {
  const groups: PlanStep[][] = [];
  // What is left out runs beside nothing.
  const [left, rest] = [wave.filter(isLeftOut), wave.filter((step) => !isLeftOut(step))];
  const begun = (step: PlanStep): number => step.startedAt ?? Infinity;
  // Those that begin together, or have not begun, keep the plan's order.
  for (const step of rest.toSorted((a, b) => Math.sign(begun(a) - begun(b) || 0))) {
    const group = groups.at(-1);
    if (group?.some((each) => (each.endedAt ?? Infinity) > begun(step) || begun(step) === Infinity)) group.push(step);
    else groups.push([step]);
  }
  const inOrder = groups.map((group) => group.toSorted((a, b) => wave.indexOf(a) - wave.indexOf(b)));
  return [...inOrder, ...left.map((step) => [step])];
}

const isLeftOut = ({ status }: PlanStep): boolean => status === "skipped" || status === "cancelled";
