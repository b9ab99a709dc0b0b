/** Costs, shown the same way everywhere: an unknown price is never 0. */
import { defineTexts, useTexts, type Say } from "@/i18n";
import { formatMoney } from "@/i18n/format";

export const costTexts = defineTexts(
  "cost",
  { unknown: "price unknown", at_least: "at least {cost}" },
  { unknown: "价格未知", at_least: "至少 {cost}" },
);

export interface Cost {
  /** The sum of what has a price. */
  known: number;
  /** Something in it has no known price. */
  partly: boolean;
  currency?: string;
}

export function costText({ known, partly, currency }: Cost, t: Say<keyof typeof costTexts.en>): string {
  if (partly && known === 0) return t("unknown");
  const money = formatMoney(known, currency) ?? "";
  return partly ? t("at_least", { cost: money }) : money;
}

export function useCost(): (cost: Cost) => string {
  const t = useTexts(costTexts);
  return (cost) => costText(cost, t);
}
