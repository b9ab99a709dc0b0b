/** What models were used for, in tokens and money, and what may be used. */
import { Flex, Select, Typography } from "antd";
import { useState } from "react";
import { isAdmin, useMe } from "@/api/me";
import { usePreferences } from "@/app/state/preferences";
import { PageFrame } from "@/components/page/PageFrame";
import { Segments } from "@/components/forms/Segments";
import { utcDay } from "@/components/charts/usageSpec";
import { useTexts } from "@/i18n";
import { BudgetRequests } from "@/pages/usage/BudgetRequests";
import { Budgets } from "@/pages/usage/Budgets";
import { pageTexts } from "@/pages/usage/page.texts";
import type { By } from "@/pages/usage/queries";
import { Report } from "@/pages/usage/Report";
import { texts } from "@/pages/usage/texts";

const PERIODS = ["7", "30", "month", "90"] as const;
type Period = (typeof PERIODS)[number];

export default function View() {
  const t = useTexts(texts);
  const p = useTexts(pageTexts);
  const me = useMe();
  const projectId = usePreferences((state) => state.projectId);
  const [period, setPeriod] = useState<Period>("30");
  const [by, setBy] = useState<By>("day");
  const until = utcDay();
  const since = period === "month" ? `${until.slice(0, 8)}01` : utcDay(Number(period) - 1);
  const ways: By[] = ["day", ...(isAdmin(me) ? (["user"] as const) : []), "project", "model", "session"];
  return (
    <PageFrame title={p("title")} hint={t("utc")}>
      <BudgetRequests />
      <Flex gap={12} wrap align="center" style={{ marginBottom: 16 }}>
        <Segments<Period>
          aria-label={t("period")}
          value={period}
          onChange={setPeriod}
          options={PERIODS.map((value) => ({ value, label: t(`period_${value}`) }))}
        />
        <label>
          <Typography.Text type="secondary">{t("by")} </Typography.Text>
          <Select<By>
            aria-label={t("by")}
            value={by}
            onChange={setBy}
            style={{ minWidth: 120 }}
            options={ways.map((value) => ({ value, label: t(`by_${value as "day"}`) }))}
          />
        </label>
      </Flex>
      <Report by={by} since={since} until={until} {...(projectId ? { project_id: projectId } : {})} />
      <Budgets />
    </PageFrame>
  );
}
