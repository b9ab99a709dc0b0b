/** Budgets and how far they are used; admins set, change and remove them. */
import { App, Button, Card, Flex, Popconfirm, Progress, Tag, Typography } from "antd";
import { useState } from "react";
import { isAdmin, useMe } from "@/api/me";
import { usePeople } from "@/api/names";
import { useProjects } from "@/api/projects";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import { formatCompact, formatMoney, formatTime } from "@/i18n/format";
import { BudgetForm } from "@/pages/usage/BudgetForm";
import { useBudgetActions, useBudgets, type Budget } from "@/pages/usage/queries";
import { nextPeriod, shareOf } from "@/pages/usage/sums";
import { texts } from "@/pages/usage/texts";

const NEAR = 0.8;

export function Budgets() {
  const t = useTexts(texts);
  const admin = isAdmin(useMe());
  const budgets = useBudgets();
  const [editing, setEditing] = useState<Budget | "new" | null>(null);
  return (
    <section style={{ marginTop: 24 }}>
      <Flex justify="space-between" align="center" gap={8} wrap>
        <Typography.Title level={2} style={{ fontSize: 18, margin: 0 }}>
          {t("budgets")}
        </Typography.Title>
        {admin && (
          <Button type="primary" onClick={() => setEditing("new")}>
            {t("budget_add")}
          </Button>
        )}
      </Flex>
      <Typography.Paragraph type="secondary">
        {t("budgets_hint")} {!admin && t("budgets_own")}
      </Typography.Paragraph>
      <Resource query={budgets} empty={<p>{t("budgets_none")}</p>}>
        {(items) => (
          <Flex vertical gap={8}>
            {items.map((budget) => (
              <One
                key={`${budget.scope} ${budget.scope_id} ${budget.period}`}
                budget={budget}
                change={admin ? () => setEditing(budget) : null}
              />
            ))}
          </Flex>
        )}
      </Resource>
      {editing && (
        <BudgetForm budget={editing === "new" ? null : editing} close={() => setEditing(null)} />
      )}
    </section>
  );
}

function One({ budget, change }: { budget: Budget; change: (() => void) | null }) {
  const t = useTexts(texts);
  const { message } = App.useApp();
  const { remove } = useBudgetActions();
  const name = useNameOf(budget);
  const share = shareOf(budget);
  const per = t(`per_${budget.period}`);
  const parts = [
    budget.cost_max !== null &&
      t("of", { used: formatMoney(budget.used_cost) ?? "", max: formatMoney(budget.cost_max) ?? "" }),
    budget.tokens_max !== null &&
      t("of", {
        used: formatCompact(budget.used_tokens),
        max: `${formatCompact(budget.tokens_max)} ${t("tokens").toLowerCase()}`,
      }),
  ].filter(Boolean);
  return (
    <Card size="small">
      <Flex justify="space-between" gap={8} wrap>
        <div>
          <strong>{name}</strong> · {t("per")} {per}{" "}
          {share >= 1 ? (
            <Tag color="error">{t("over")}</Tag>
          ) : (
            share >= NEAR && <Tag color="warning">{t("near")}</Tag>
          )}
          <br />
          <Typography.Text type="secondary">
            {parts.join(" · ")} · {t("resets", { time: formatTime(nextPeriod(budget.period)) })}
          </Typography.Text>
        </div>
        {change && (
          <Flex gap={8}>
            <Button size="small" onClick={change}>
              {t("change")}
            </Button>
            <Popconfirm
              title={t("remove_ask", { name, per })}
              okText={t("remove")}
              okButtonProps={{ danger: true }}
              cancelText={t("cancel")}
              onConfirm={() =>
                remove.mutate(budget, { onSuccess: () => void message.success(t("removed")) })
              }
            >
              <Button size="small" danger>
                {t("remove")}
              </Button>
            </Popconfirm>
          </Flex>
        )}
      </Flex>
      <Progress
        aria-label={`${name} ${per}`}
        percent={Math.min(100, Math.round(share * 100))}
        status={share >= 1 ? "exception" : "normal"}
        {...(share >= NEAR && share < 1 ? { strokeColor: "var(--da-color-warning)" } : {})}
      />
      {remove.error && <ErrorNotice error={remove.error} />}
    </Card>
  );
}

function useNameOf({ scope, scope_id }: Budget): string {
  const t = useTexts(texts);
  const me = useMe();
  const people = usePeople(isAdmin(me) && scope === "user");
  const projects = useProjects();
  if (scope === "tenant") return t("scope_tenant");
  if (scope === "project") {
    return projects.data?.find((each) => each.project_id === scope_id)?.name ?? scope_id;
  }
  const person = people.data?.find((each) => each.user_id === scope_id);
  return person?.display_name || person?.username || scope_id;
}
