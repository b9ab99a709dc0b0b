import { Alert, Button, Card, Col, Row, Statistic, Typography } from "antd";
import { useMemo } from "react";
import { Chart } from "@/components/charts/Chart";
import { EmptyState } from "@/components/states/EmptyState";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { LinkButton } from "@/components/links/LinkButton";
import { NextStep } from "@/components/states/NextStep";
import { usageSpec } from "@/components/charts/usageSpec";
import { Waiting } from "@/components/states/Waiting";
import { useLanguage, useTexts } from "@/i18n";
import { useCost } from "@/i18n/cost.texts";
import { formatCompact, formatNumber, formatPercent } from "@/i18n/format";
import { modelSpec } from "@/pages/usage/modelSpec";
import { useUsage, type By, type Usage } from "@/pages/usage/queries";
import { Sums } from "@/pages/usage/Sums";
import { sumOf, type Sum } from "@/pages/usage/sums";
import { texts } from "@/pages/usage/texts";

interface Props {
  by: By;
  since: string;
  until: string;
  project_id?: string;
}

export function Report({ by, ...when }: Props) {
  const t = useTexts(texts);
  const days = useUsage({ by: "day", ...when });
  const lines = useUsage({ by, ...when });
  const perDay = useMemo(() => days.data?.pages.flatMap((page) => page.usage), [days.data]);
  const shown = useMemo(() => lines.data?.pages.flatMap((page) => page.usage) ?? [], [lines.data]);
  if (days.error) return <ErrorNotice error={days.error} retry={() => void days.refetch()} />;
  if (!perDay) return <Waiting />;
  if (perDay.length === 0) {
    return (
      <EmptyState
        title={t("empty")}
        action={
          <NextStep>
            <LinkButton to="/chat" type="primary">{t("ask")}</LinkButton>
          </NextStep>
        }
      >
        {t("empty_hint")}
      </EmptyState>
    );
  }
  return (
    <>
      <Totals sum={sumOf(perDay)} />
      {by === "model" ? lines.data && <Models lines={shown} /> : <Days days={perDay} {...when} />}
      <Typography.Title level={2} style={{ fontSize: 18 }}>
        {t("table")}
      </Typography.Title>
      {lines.error && <ErrorNotice error={lines.error} retry={() => void lines.refetch()} />}
      {lines.data && <Sums by={by} lines={shown} />}
      {lines.hasNextPage && (
        <Button loading={lines.isFetchingNextPage} onClick={() => void lines.fetchNextPage()}>
          {t("more")}
        </Button>
      )}
    </>
  );
}

function Totals({ sum }: { sum: Sum }) {
  const t = useTexts(texts);
  const cost = useCost()({ known: sum.knownCost, partly: sum.unpriced > 0 });
  const cards: [string, string][] = [
    [t("tokens"), formatCompact(sum.tokens)],
    [t("cost"), cost],
    [t("cached"), formatPercent(sum.cachedShare)],
    [t("calls"), formatNumber(sum.calls)],
  ];
  return (
    <>
      <Row gutter={[12, 12]} style={{ marginBottom: 12 }}>
        {cards.map(([title, value]) => (
          <Col key={title} xs={12} md={6}>
            <Card size="small">
              <Statistic title={title} value={value} />
            </Card>
          </Col>
        ))}
      </Row>
      {sum.unpriced > 0 && (
        <Alert
          type="info"
          showIcon
          style={{ marginBottom: 12 }}
          title={t("unpriced", { count: formatNumber(sum.unpriced), all: formatNumber(sum.calls) })}
          description={t("unpriced_next")}
        />
      )}
    </>
  );
}

function Days({ days, since, until }: { days: Usage[]; since: string; until: string }) {
  const t = useTexts(texts);
  const language = useLanguage();
  const spec = useMemo(() => {
    const { day, tokens, kind, part_cached, part_input, part_output } = texts[language];
    const words = { day, tokens, kind, cached: part_cached, input: part_input, output: part_output };
    return usageSpec(days, since, until, words);
  }, [days, since, until, language]);
  return <Chart spec={spec} title={t("chart")} height={220} />;
}

const BAR_PX = 28;
const AROUND_PX = 80;

function Models({ lines }: { lines: Usage[] }) {
  const t = useTexts(texts);
  const language = useLanguage();
  const spec = useMemo(() => {
    const { by_model, chart_models, tokens, kind, part_cached, part_input, part_output, unnamed } = texts[language];
    const parts = { tokens, kind, cached: part_cached, input: part_input, output: part_output };
    return modelSpec(lines, { ...parts, title: chart_models, model: by_model, unnamed });
  }, [lines, language]);
  return <Chart spec={spec} title={t("chart_models")} height={AROUND_PX + BAR_PX * lines.length} />;
}
