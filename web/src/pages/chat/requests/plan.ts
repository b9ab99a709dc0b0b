/** A proposed plan's three ways on, in the reader's language; the answer stays what the server knows. Pure. */
import type { HumanRequest, Option } from "@/pages/chat/requests/answer/answers";
import type { requestTexts } from "@/pages/chat/requests/texts";
import type { Say } from "@/i18n";

const WAYS = {
  "Accept, ask me first": "plan_ask",
  "Accept, go ahead": "plan_go",
  "Keep planning": "plan_on",
} as const;

export const isPlan = (request: HumanRequest): boolean => request.question_type === "plan";

/** What an option of a request says: a plan's in the reader's language, the agent's own as it wrote them. */
export function optionTextOf(
  request: HumanRequest,
  { label, description }: Option,
  t: Say<keyof typeof requestTexts.en>,
): { label: string; description: string } {
  const way = isPlan(request) && Object.hasOwn(WAYS, label) ? WAYS[label as keyof typeof WAYS] : null;
  return way ? { label: t(way), description: t(`${way}_hint`) } : { label, description };
}
