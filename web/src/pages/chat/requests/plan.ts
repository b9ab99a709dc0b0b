/** The ways on with a plan or a pattern, in the reader's language; the answer stays what the server knows. Pure. */
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
  pattern: { "Do it that way": "pattern_go", "Work it out anew": "pattern_anew" },
  step: { Continue: "step_go", "Skip this step": "step_skip" },
} as const;

type Ways = typeof WAYS;
type Way = { [K in keyof Ways]: Ways[K][keyof Ways[K]] }[keyof Ways];

const found = (ways: Readonly<Record<string, Way>>, label: string): Way | null =>
  Object.hasOwn(ways, label) ? (ways[label] ?? null) : null;

function wayOf({ question_type, step_number }: HumanRequest, label: string): Way | null {
  if (question_type === "plan" || question_type === "work_plan" || question_type === "pattern") return found(WAYS[question_type], label);
  const isOfStep = question_type === "confirmation" || question_type === "risk";
  return isOfStep && typeof step_number === "number" ? found(WAYS.step, label) : null;
}

/** What was chosen of a request's options, in the reader's language; own words stay as they are. */
export function answerTextOf(request: HumanRequest, label: string, t: Say<keyof typeof requestTexts.en>): string {
  const way = wayOf(request, label);
  return way ? t(way) : label;
}

/** An answer about a work plan or one of its steps, as the plan's history has it; null: own words. */
export function planAnswer(label: string, t: Say<keyof typeof requestTexts.en>): string | null {
  const way = found({ ...WAYS.work_plan, ...WAYS.step }, label);
  return way && t(way);
}

export const isPlan = (request: HumanRequest): boolean => request.question_type === "plan";

/** Asks whether the steps of a work plan are carried out. */
export const isPlanApproval = (request: HumanRequest): boolean => request.question_type === "work_plan";

/** Asks whether the work is done as it was done before. */
export const isPatternOffer = (request: HumanRequest): boolean => request.question_type === "pattern";

/** What is known of an offered pattern, without the words before it, which are for the model. */
export const patternText = (asked: string): string =>
  // What stands below the steps is no part of the last one.
  asked.slice(asked.indexOf("\n- ") + 1).replaceAll(/\n {2}(?!\d+\. )/g, "\n\n  ");

/** What an option of a request says: a plan's in the reader's language, the agent's own as it wrote them. */
export function optionTextOf(
  request: HumanRequest,
  { label, description }: Option,
  t: Say<keyof typeof requestTexts.en>,
): { label: string; description: string } {
  const way = wayOf(request, label);
  return way ? { label: t(way), description: t(`${way}_hint`) } : { label, description };
}
