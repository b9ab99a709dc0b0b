/** How often a sub-agent was used, how well and at what price; by day. */
import { Flex, Statistic } from "antd";
import { useMemo } from "react";
import { Chart } from "@/components/charts/Chart";
import { daysBetween, utcDay } from "@/components/charts/usageSpec";
import { EmptyState } from "@/components/states/EmptyState";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import { formatCompact, formatDuration, formatMoney, formatNumber, formatPercent } from "@/i18n/format";
import { useStats, type Stats } from "@/pages/subagents/queries";
import { texts } from "@/pages/subagents/texts";

const DAYS_BACK = 29;

export function StatsView({ agentId }: { agentId: string }) {
  const t = useTexts(texts);
  const stats = useStats(agentId);
  return (
    <Resource
      query={stats}
      isEmpty={({ total_invocations }) => total_invocations === 0}
      empty={<EmptyState title={t("stats_none")}>{t("stats_none_hint")}</EmptyState>}
    >
      {(found) => <Figures stats={found} />}
    </Resource>
  );
}

function Figures({ stats }: { stats: Stats }) {
  const t = useTexts(texts);
  const [day, invocations] = [t("day"), t("invocations")];
  const spec = useMemo(() => invocationSpec(stats, { day, invocations }), [stats, day, invocations]);
  const figures: [string, string][] = [
    [t("invocations"), formatNumber(stats.total_invocations)],
    [t("success"), formatPercent(stats.success_rate)],
    [t("average"), formatDuration(stats.avg_execution_time_ms)],
    [t("all_tokens"), formatCompact(stats.total_tokens)],
    // What has no known price is not in it: a sum of nothing is unknown, not free.
    [t("cost"), stats.total_cost > 0 ? (formatMoney(stats.total_cost) ?? "–") : "–"],
  ];
  return (
    <>
      <Flex gap={40} wrap style={{ marginBottom: 16 }}>
        {figures.map(([title, value]) => (
          <Statistic key={title} title={title} value={value} />
        ))}
      </Flex>
      <Chart spec={spec} title={t("by_day")} height={180} />
    </>
  );
}

function invocationSpec({ by_day }: Stats, words: { day: string; invocations: string }): object {
  const counts = new Map(by_day.map((each) => [each.day, each.invocations]));
  const values = daysBetween(utcDay(DAYS_BACK), utcDay()).map((day) => ({ day, invocations: counts.get(day) ?? 0 }));
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    data: { values },
    // Room for the switch to the table.
    padding: { top: 32, left: 5, right: 5, bottom: 5 },
    mark: "bar",
    encoding: {
      x: { field: "day", type: "ordinal", title: words.day, axis: { labelAngle: -45, labelOverlap: true } },
      y: { field: "invocations", type: "quantitative", title: words.invocations, axis: { tickMinStep: 1, format: "d" } },
      tooltip: [{ field: "day", title: words.day }, { field: "invocations", title: words.invocations }],
    },
  };
}
