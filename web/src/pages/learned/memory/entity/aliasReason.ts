/** Why a name is another name of an entity: the graph keeps one of a few English reasons with it. Pure. */
import type { Say } from "@/i18n";
import { formatNumber } from "@/i18n/format";

const REASONS = {
  "same name": "alias_same",
  "part of the only such name": "alias_part",
  "the same in one form": "alias_form",
  "said to be the same": "alias_said",
  "its name before": "alias_before",
  "given by a person": "alias_given",
} as const;

type Key = (typeof REASONS)[keyof typeof REASONS] | "alias_similar";

const SIMILAR = /^similar name \((\d+(?:\.\d+)?)\)$/;

/** A reason that is not known here stands as it is. */
export function aliasReason(reason: string, t: Say<Key>): string {
  const score = SIMILAR.exec(reason)?.[1];
  if (score) return t("alias_similar", { score: formatNumber(Number(score)) });
  const key = Object.hasOwn(REASONS, reason) ? REASONS[reason as keyof typeof REASONS] : undefined;
  return key ? t(key) : reason;
}
