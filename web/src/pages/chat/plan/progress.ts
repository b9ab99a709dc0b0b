/** How far a plan is, in the few words of its heading. Pure. */
import type { planTexts } from "@/pages/chat/plan/texts";
import type { Say } from "@/i18n";
import { isSettled } from "@/pages/chat/plan/shown";
import type { Plan, PlanStep } from "@/stream/conversation";

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

/** What the server calls a person's wish to have none. */
const NO_PLAN = "Work without a plan";

type Words = Say<keyof typeof planTexts.en>;

/** What a person must know of a plan beside its steps; null where all is as usual. */
export function statusText({ status, reason, steps }: Plan, t: Words, said: (text: string) => string): string | null {
  const why = (key: "without" | "late" | "failed") => (reason ? t(`${key}_why`, { reason: said(reason) }) : t(key));
  switch (status) {
    case "timeout":
      return why("late");
    case "fallback":
      return reason === NO_PLAN ? t("without") : why("without");
    case "failed":
      return why("failed");
    case "planning":
      if (steps.length === 0) return t("making");
      return reason ? t("asks_why", { reason: said(reason) }) : null;
    default:
      return null;
  }
}
