/** The figures of today and of this month. */
import { Card, Flex, Progress, Statistic, Typography } from "antd";
import { Link } from "react-router";
import type { Schemas } from "@/api/client";
import { usePeople } from "@/api/names";
import { useProjects } from "@/api/projects";
import type { Tenant } from "@/api/tenant";
import { useTexts } from "@/i18n";
import { useCost } from "@/i18n/cost.texts";
import { formatCompact, formatMoney, formatNumber, formatPercent } from "@/i18n/format";
import { monthBegan, today, useTenantBudgets, useUse } from "@/pages/tenant/queries";
import { texts } from "@/pages/tenant/texts";

type Sum = Schemas["UsageInfo"];

const added = (rows: Sum[] | undefined, pick: (row: Sum) => number): number | undefined =>
  rows?.reduce((sum, row) => sum + pick(row), 0);

export function Figures({ tenant }: { tenant: Tenant }) {
  const t = useTexts(texts);
  const people = usePeople(true);
  const projects = useProjects();
  const runs = useUse("run", today());
  const chats = useUse("session", today());
  const month = useUse("day", monthBegan());
  const unpriced = added(month.data, (row) => row.unpriced_calls) ?? 0;
  const costOf = useCost();
  const cost = added(month.data, (row) => row.known_cost);
  return (
    <>
      <Flex gap={12} wrap style={{ marginBottom: 16 }}>
        <Figure
          title={t("people")}
          value={people.data?.length}
          note={t("of_max", { max: formatNumber(tenant.limits.max_users) })}
        />
        <Figure title={t("projects")} value={projects.data?.length} />
        <Figure title={t("chats_today")} value={chats.data?.length} />
        <Figure title={t("runs_today")} value={runs.data?.length} />
        <Figure title={t("calls_today")} value={added(runs.data, (row) => row.calls)} />
        <Figure
          title={t("tokens_month")}
          value={added(month.data, (row) => row.total_tokens)}
          show={formatCompact}
        />
        <Figure
          title={t("cost_month")}
          value={cost}
          show={(known) => costOf({ known, partly: unpriced > 0 })}
          note={unpriced ? t("unpriced", { count: formatNumber(unpriced) }) : undefined}
        />
      </Flex>
      <Budgets />
    </>
  );
}

interface FigureProps {
  title: string;
  value?: number;
  note?: string;
  show?: (value: number) => string;
}

function Figure({ title, value, note, show = formatNumber }: FigureProps) {
  return (
    <Card size="small" style={{ flex: "1 1 120px" }}>
      <Statistic
        title={title}
        loading={value === undefined}
        value={value ?? 0}
        formatter={() => show(value ?? 0)}
      />
      {note && <Typography.Text type="secondary">{note}</Typography.Text>}
    </Card>
  );
}

function Budgets() {
  const t = useTexts(texts);
  const budgets = useTenantBudgets();
  return (
    <div style={{ marginBottom: 24 }}>
      {budgets.data?.map((budget) => {
        const money = budget.cost_max !== null;
        const max = budget.cost_max ?? budget.tokens_max ?? 0;
        const used = money ? budget.used_cost : budget.used_tokens;
        const share = max ? used / max : 1;
        const show = (value: number) => (money ? formatMoney(value) : formatCompact(value));
        const label = t("budget", { period: t(budget.period === "day" ? "day" : "month") });
        return (
          <div key={budget.period} style={{ maxWidth: 480 }}>
            {label}: {show(used)} / {show(max)} ({formatPercent(share)})
            <Progress
              percent={Math.min(100, share * 100)}
              showInfo={false}
              status={share >= 1 ? "exception" : "normal"}
              aria-label={label}
            />
          </div>
        );
      })}
      {budgets.data?.length === 0 && <div>{t("no_budget")}</div>}
      <Link to="/usage">{t("see_usage")}</Link>
    </div>
  );
}
