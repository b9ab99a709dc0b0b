/** Since when something is true, and until when it was, in words. */
import type { MemoryItem } from "@/api/learned/memories";
import type { Say } from "@/i18n";
import { formatDay } from "@/i18n/format";
import type { texts } from "@/pages/learned/memory/texts";

type Times = Pick<MemoryItem, "valid_from" | "valid_to" | "expires_at">;

/** The same in a list, where the day it was recorded stands already. */
export function listedText(memory: Times & Pick<MemoryItem, "recorded_at">, t: Say<keyof typeof texts.en>): string {
  const isSaid = memory.valid_to === null && formatDay(memory.valid_from) === formatDay(memory.recorded_at);
  if (!isSaid) return validText(memory, t);
  return memory.expires_at === null ? "" : t("expires", { at: formatDay(memory.expires_at) });
}

export function validText({ valid_from, valid_to, expires_at }: Times, t: Say<keyof typeof texts.en>): string {
  const from = formatDay(valid_from);
  return [
    valid_to === null ? t("since", { from }) : t("from_to", { from, to: formatDay(valid_to) }),
    expires_at !== null && t("expires", { at: formatDay(expires_at) }),
  ]
    .filter(Boolean)
    .join(" · ");
}
