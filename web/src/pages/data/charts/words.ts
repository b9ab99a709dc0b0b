import type { Say } from "@/i18n";
import type { texts } from "@/pages/data/charts/texts";
import { groups, measured, type Wish } from "@/pages/data/charts/wish";
import type { Words } from "@/pages/data/charts/writeSpec";

/** What the chart's axis and title say, in the language of now. */
export function wordsFor(wish: Wish, t: Say<keyof typeof texts.en>): Words {
  if (!groups(wish)) {
    const measure = wish.y ?? t("rows");
    return { measure, title: t("title_points", { measure, x: wish.x }) };
  }
  const measure =
    measured(wish) && wish.y
      ? t("measure_name", { aggregate: t(`aggregate_${wish.aggregate}`), column: wish.y })
      : t("rows");
  return { measure, title: t("title_auto", { measure, x: wish.x }) };
}
