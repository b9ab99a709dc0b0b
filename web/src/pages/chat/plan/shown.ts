/** Which plan is shown, and where it is over. Pure. */
import type { Plan, PlanStep, StepStatus } from "@/stream/conversation";
import { isOpen } from "@/stream/plans";

const SETTLED = new Set<StepStatus>(["completed", "skipped", "cancelled"]);

/** Done, or left out on purpose. */
export const isSettled = ({ status }: PlanStep): boolean => SETTLED.has(status);

/** Whether there is anything to show: facts of steps may come before the plan that names them. */
export const isShown = ({ steps, status }: Plan): boolean => steps.length > 0 || status !== null;

/** Whether the dock shows a plan: that of the run under way, or what the last one left undone. */
export function isDocked(plan: Plan, activeRunId: string | null): boolean {
  if (activeRunId !== null) return activeRunId === plan.runId;
  // A work plan that is over leaves nothing undone: what took the place of a failed step was done.
  return (plan.version === null || isOpen(plan)) && plan.steps.some((step) => !isSettled(step));
}
