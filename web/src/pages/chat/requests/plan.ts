/** A plan's ways on, in the reader's language; the answer stays what the server knows. Pure. */
import type { HumanRequest, Option } from "@/pages/chat/requests/answer/answers";
import type { requestTexts } from "@/pages/chat/requests/texts";
import type { Say } from "@/i18n";

/** By the type of the question: a plan in words, and a work plan of steps. */
const WAYS = {
  plan: {
    "Accept, ask me first": "plan_ask",
    "Accept, go ahead": "plan_go",
    "Keep planning": "plan_on",
  },
  work_plan: {
    "Go ahead": "steps_go",
    "Add a check first": "steps_check",
    "Work without a plan": "steps_none",
  },
} as const;

type Way = "plan_ask" | "plan_go" | "plan_on" | "steps_go" | "steps_check" | "steps_none";

function wayOf({ question_type }: HumanRequest, label: string): Way | null {
  if (question_type !== "plan" && question_type !== "work_plan") return null;
  const ways: Readonly<Record<string, Way>> = WAYS[question_type];
  return Object.hasOwn(ways, label) ? (ways[label] ?? null) : null;
}

export const isPlan = (request: HumanRequest): boolean => request.question_type === "plan";

/** What an option of a request says: a plan's in the reader's language, the agent's own as it wrote them. */
export function optionTextOf(
  request: HumanRequest,
  { label, description }: Option,
  t: Say<keyof typeof requestTexts.en>,
): { label: string; description: string } {
  const way = wayOf(request, label);
  return way ? { label: t(way), description: t(`${way}_hint`) } : { label, description };
}
