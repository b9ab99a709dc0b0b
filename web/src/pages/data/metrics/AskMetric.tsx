/** Metrics by dimensions, without SQL; the model says how they are joined. */
import { Button, Flex, Select, Typography } from "antd";
import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import { EmptyState } from "@/components/states/EmptyState";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import { SQL } from "@/pages/data/places";
import { problemTexts } from "@/pages/data/problem.texts";
import { QueryProblem } from "@/pages/data/QueryProblem";
import { Answer } from "@/pages/data/sql/Answer";
import { useAskMetric, useMetricNames } from "@/pages/data/metrics/queries";
import { texts } from "@/pages/data/metrics/texts";

const GRAINS = ["year", "quarter", "month", "week", "day"] as const;
type Grain = (typeof GRAINS)[number];

export function AskMetric({ useExample }: { useExample: () => void }) {
  const t = useTexts(texts);
  const names = useMetricNames();
  return (
    <section aria-labelledby="ask-metric">
      <Typography.Title level={2} id="ask-metric" style={{ fontSize: 18 }}>
        {t("ask")}
      </Typography.Title>
      <Resource
        query={names}
        isEmpty={(found) => found.metrics.length === 0}
        empty={
          <EmptyState title={t("none")} action={<Button onClick={useExample}>{t("use_example")}</Button>}>
            {t("none_hint")}
          </EmptyState>
        }
      >
        {(found) => <Chooser metrics={found.metrics} dimensions={found.dimensions} />}
      </Resource>
    </section>
  );
}

function Chooser({ metrics, dimensions }: { metrics: string[]; dimensions: string[] }) {
  const t = useTexts(texts);
  const problem = useTexts(problemTexts);
  const [chosen, setChosen] = useState(metrics.slice(0, 1));
  const [by, setBy] = useState(dimensions.slice(0, 1));
  const [grain, setGrain] = useState<Grain | "">("");
  const ask = useAskMetric();
  const options = (names: string[]) => names.map((name) => ({ value: name, label: name }));
  return (
    <Flex vertical gap={12}>
      <Flex gap={8} wrap align="end">
        <Labelled label={t("metrics")}>
          <Select mode="multiple" aria-label={t("metrics")} value={chosen} onChange={setChosen} options={options(metrics)} style={{ minWidth: 200 }} />
        </Labelled>
        <Labelled label={t("dimensions")}>
          <Select mode="multiple" aria-label={t("dimensions")} value={by} onChange={setBy} options={options(dimensions)} style={{ minWidth: 200 }} />
        </Labelled>
        <Labelled label={t("grain")}>
          <Select
            aria-label={t("grain")}
            value={grain}
            onChange={setGrain}
            style={{ minWidth: 120 }}
            options={[{ value: "" as const, label: t("no_grain") }, ...GRAINS.map((each) => ({ value: each, label: t(each) }))]}
          />
        </Labelled>
        <Button
          type="primary"
          loading={ask.isPending}
          disabled={chosen.length === 0}
          onClick={() => ask.mutate({ metrics: chosen, dimensions: by, ...(grain ? { grain } : {}) })}
        >
          {t("run")}
        </Button>
      </Flex>
      {ask.error && (
        <QueryProblem error={ask.error} wayOut={<Link to={SQL}>{problem("ask_sql")}</Link>} />
      )}
      {ask.data && <Answer key={ask.data.result_id} rows={ask.data} chart={null} first="chart" />}
    </Flex>
  );
}

const Labelled = ({ label, children }: { label: string; children: ReactNode }) => (
  <div style={{ maxWidth: "100%" }}>
    <Typography.Text type="secondary" style={{ display: "block" }}>
      {label}
    </Typography.Text>
    {children}
  </div>
);
