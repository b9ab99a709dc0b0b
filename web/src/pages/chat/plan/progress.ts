/** How far a plan is, in the few words of its heading. Pure. */
import type { planTexts } from "@/pages/chat/plan/texts";
import type { Say } from "@/i18n";
import type { Conversation, Plan, PlanStep, StepStatus } from "@/stream/conversation";

const SETTLED = new Set<StepStatus>(["completed", "skipped", "cancelled"]);

/** Done, or left out on purpose. */
export const isSettled = ({ status }: PlanStep): boolean => SETTLED.has(status);

/** Whether there is anything to show: facts of steps may come before the plan that names them. */
export const isShown = ({ steps, status }: Plan): boolean => steps.length > 0 || status !== null;

export interface Progress {
  done: number;
  all: number;
  /** What is worked on now. */
  current: readonly PlanStep[];
}

export const progressOf = ({ steps }: Plan): Progress => ({
  done: steps.filter(isSettled).length,
  all: steps.length,
  current: steps.filter((step) => step.status === "in_progress"),
});

/** The plan the dock shows: that of the run under way, or what the last one left undone. */
export function planInDock({ plan, activeRunId }: Conversation): Plan | null {
  if (plan === null || !isShown(plan)) return null;
  if (activeRunId !== null) return plan.runId === activeRunId ? plan : null;
  return plan.steps.some((step) => !isSettled(step)) ? plan : null;
}

type Words = Say<keyof typeof planTexts.en>;

/** What a person must know of a plan beside its steps; null where all is as usual. */
export function statusText({ status, reason, steps }: Plan, t: Words, said: (text: string) => string): string | null {
  const why = (key: "without" | "late" | "failed") => (reason ? t(`${key}_why`, { reason: said(reason) }) : t(key));
  switch (status) {
    case "timeout":
      return why("late");
    case "fallback":
      return why("without");
    case "failed":
      return why("failed");
    case "planning":
      return steps.length === 0 ? t("making") : null;
    default:
      return null;
  }
}
