/** What is counted of a pattern, in words. */
import type { PatternInfo } from "@/api/learned/patterns";
import type { Say } from "@/i18n";
import { formatAgo, formatCompact, formatDuration, formatNumber, formatPercent } from "@/i18n/format";
import type { texts } from "@/pages/learned/patterns/texts";

type T = Say<keyof typeof texts.en>;

export function usesText(pattern: PatternInfo, t: T): string {
  if (pattern.usage_count === 0) return t("never_used");
  return [
    t("uses", { count: formatNumber(pattern.usage_count), share: formatPercent(pattern.success_rate) }),
    pattern.avg_execution_time_ms !== null && t("on_average", { time: formatDuration(pattern.avg_execution_time_ms) }),
    pattern.last_used_at !== null && t("last_used", { ago: formatAgo(pattern.last_used_at) }),
  ]
    .filter(Boolean)
    .join(" · ");
}

/** A run that took more than before saved less than nothing. */
export function savedText({ workflow }: PatternInfo, t: T): string | null {
  if (!workflow || workflow.runs === 0) return null;
  const { runs, tokens_saved, seconds_saved } = workflow;
  return t("saved", {
    runs: formatNumber(runs),
    tokens: formatCompact(tokens_saved),
    time: signedDuration(seconds_saved),
  });
}

export const signedDuration = (seconds: number): string =>
  `${seconds < 0 ? "−" : ""}${formatDuration(Math.abs(seconds) * 1000)}`;
