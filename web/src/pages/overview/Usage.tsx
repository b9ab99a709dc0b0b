import { useMemo } from "react";
import type { Schemas } from "@/api/client";
import { Chart } from "@/components/charts/Chart";
import { Resource } from "@/components/states/Resource";
import { usageSpec, utcDay, type UsageWords } from "@/components/charts/usageSpec";
import { useLanguage, useTexts } from "@/i18n";
import { useCost } from "@/i18n/cost.texts";
import { formatCompact } from "@/i18n/format";
import { Block, Nothing } from "@/pages/overview/Block";
import { useUsage } from "@/pages/overview/queries";
import { texts } from "@/pages/overview/texts";

export function Usage() {
  const t = useTexts(texts);
  const until = utcDay();
  const since = `${until.slice(0, 8)}01`;
  const usage = useUsage(since, until);
  return (
    <Block
      title={t("usage")}
      next={
        usage.data?.length === 0
          ? { to: "/chat", label: t("new_chat") }
          : { to: "/usage", label: t("open_usage") }
      }
    >
      <Resource query={usage} empty={<Nothing title={t("usage_none")} />}>
        {(days) => <Month days={days} since={since} until={until} />}
      </Resource>
    </Block>
  );
}

interface MonthProps {
  days: Schemas["UsageInfo"][];
  since: string;
  until: string;
}

function Month({ days, since, until }: MonthProps) {
  const t = useTexts(texts);
  const language = useLanguage();
  const spec = useMemo(() => {
    const { day, tokens, part, part_cached, part_input, part_output } = texts[language];
    const words: UsageWords = { day, tokens, kind: part, cached: part_cached, input: part_input, output: part_output }; // prettier-ignore
    return usageSpec(days, since, until, words);
  }, [days, since, until, language]);
  const known = days.reduce((sum, day) => sum + day.known_cost, 0);
  const tokens = days.reduce((sum, day) => sum + day.total_tokens, 0);
  const cost = useCost()({ known, partly: days.some((day) => day.unpriced_calls > 0) });
  return (
    <>
      <p style={{ marginTop: 0 }}>{t("usage_tokens", { tokens: formatCompact(tokens), cost })}</p>
      <Chart spec={spec} title={t("chart")} height={140} />
    </>
  );
}
