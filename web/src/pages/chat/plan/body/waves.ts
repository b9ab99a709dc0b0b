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
    waves.push(wave);
  }
  return waves;
}
