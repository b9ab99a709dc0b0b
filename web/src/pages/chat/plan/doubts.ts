/** Why a plan is put to a person, in the reader's language; what is not known stays as it is. Pure. */
import type { planTexts } from "@/pages/chat/plan/texts";
import type { Say } from "@/i18n";

// As `planning/plan_questions.py` lists them.
const DOUBTS = /^(?:(\d+) steps)?(?:(?:^|, )vague: (.+?))?(?:(?:^|, )confidence (\d+%))?$/;

export function doubtsText(reason: string, t: Say<keyof typeof planTexts.en>): string {
  const [, count, words, share] = DOUBTS.exec(reason) ?? [];
  const told = [count && t("doubt_steps", { count }), words && t("doubt_vague", { words }), share && t("doubt_confidence", { share })];
  return told.filter(Boolean).join("; ") || reason;
}
