/** One run: what it was, how it went, and its steps over time; follows while it runs. */
import { ArrowLeftOutlined, MessageOutlined } from "@ant-design/icons";
import { Alert, Descriptions, Flex } from "antd";
import { useMemo, useState } from "react";
import { useSearchParams } from "react-router";
import { useTitles } from "@/api/names";
import { runName } from "@/api/runs";
import { EmptyState } from "@/components/states/EmptyState";
import { JsonView } from "@/components/code/JsonView";
import { LinkButton } from "@/components/links/LinkButton";
import { PageFrame } from "@/components/page/PageFrame";
import { Resource } from "@/components/states/Resource";
import { Segments } from "@/components/forms/Segments";
import { useTexts } from "@/i18n";
import { formatDuration, formatMoney, formatNumber, formatTime } from "@/i18n/format";
import type { Numbered } from "@/stream/events";
import { isOpen, useRun, useRunEvents, type Run } from "@/pages/activity/queries";
import { durationOf, RunStatus, tokensOf } from "@/pages/activity/RunStatus";
import { texts } from "@/pages/activity/texts";
import { waterfallOf, type Bar } from "@/pages/activity/waterfall";
import { WaterfallView } from "@/pages/activity/WaterfallView";

const VIEWS = ["compact", "full", "json"] as const;
type ViewName = (typeof VIEWS)[number];

export function RunDetail({ runId }: { runId: string }) {
  const t = useTexts(texts);
  const run = useRun(runId);
  const titles = useTitles(false);
  const title = (run.data && (runName(run.data) || t("unasked"))) || t("run");
  const chat = run.data && titles.data?.get(run.data.session_id);
  return (
    <PageFrame
      title={title}
      hint={chat}
      extra={
        <>
          <LinkButton to="/activity" icon={<ArrowLeftOutlined />}>{t("back")}</LinkButton>
          {run.data && (
            <LinkButton to={`/chat/${run.data.session_id}`} type="primary" icon={<MessageOutlined />}>{t("chat")}</LinkButton>
          )}
        </>
      }
    >
      <Resource query={run}>{(found) => <Steps run={found} />}</Resource>
    </PageFrame>
  );
}

function Steps({ run }: { run: Run }) {
  const t = useTexts(texts);
  const [search, setSearch] = useSearchParams();
  const view = VIEWS.find((each) => each === search.get("view")) ?? "compact";
  const events = useRunEvents(run);
  // Steps that are under way grow with the clock, which each reading moves on.
  const now = isOpen(run) ? events.dataUpdatedAt : undefined;
  return (
    <>
      <Resource query={events}>
        {(read) => (
          <>
            <Facts run={run} events={read.events} />
            {isOpen(run) && <Alert type="info" showIcon role="status" title={t("live")} />}
            {run.error && <Alert type="error" showIcon title={run.error} style={{ marginTop: 8 }} />}
            {read.cut && <Alert type="warning" showIcon title={t("too_long")} />}
            <Flex justify="end" style={{ margin: "12px 0" }}>
              <Segments<ViewName>
                aria-label={t("view")}
                value={view}
                onChange={(value) => setSearch({ view: value }, { replace: true })}
                options={VIEWS.map((value) => ({ value, label: t(`view_${value}`) }))}
              />
            </Flex>
            {view === "json" ? (
              <JsonView value={read.events} />
            ) : (
              <Drawn events={read.events} full={view === "full"} now={now} />
            )}
          </>
        )}
      </Resource>
    </>
  );
}

function Drawn({ events, full, now }: { events: Numbered[]; full: boolean; now?: number }) {
  const t = useTexts(texts);
  const waterfall = useMemo(() => waterfallOf(events), [events]);
  const [fallback] = useState(() => Date.now());
  if (waterfall.bars.length === 0) return <EmptyState title={t("no_steps")} />;
  return <WaterfallView waterfall={waterfall} full={full} now={(now ?? fallback) / 1000} />;
}

function Facts({ run, events }: { run: Run; events: Numbered[] }) {
  const t = useTexts(texts);
  const { bars } = useMemo(() => waterfallOf(events), [events]);
  const start = events.find((event) => event.event_type === "start");
  const spent = events.findLast((event) => event.event_type === "cost_update");
  const duration = durationOf(run);
  const tokens = tokensOf(run);
  const cost = spent ? (formatMoney(spent.cost, spent.currency) ?? t("unknown_price")) : "–";
  const time = (kind: Bar["kind"]) =>
    formatDuration(
      bars.reduce((sum, bar) => sum + (bar.kind === kind ? (bar.to ?? bar.from) - bar.from : 0), 0) * 1000,
    );
  const count = (kind: Bar["kind"]) => bars.filter((bar) => bar.kind === kind).length;
  return (
    <>
      <Descriptions
        size="small"
        column={{ xs: 1, sm: 2, lg: 3 }}
        style={{ marginBottom: 8 }}
        items={[
          {
            key: "status",
            label: t("status"),
            children: (
              <>
                <RunStatus run={run} /> {run.attempt > 1 && t("attempts", { count: run.attempt })}
              </>
            ),
          },
          { key: "when", label: t("when"), children: formatTime(run.created_at) },
          {
            key: "duration",
            label: t("duration"),
            children: duration === null ? "–" : formatDuration(duration),
          },
          { key: "model", label: t("model"), children: start?.model || "–" },
          { key: "tokens", label: t("tokens"), children: tokens === null ? "–" : formatNumber(tokens) },
          { key: "cost", label: t("cost"), children: cost },
        ]}
      />
      <p>
        {t("sum", {
          models: count("model"),
          model_time: time("model"),
          tools: count("tool"),
          tool_time: time("tool"),
          wait_time: time("wait"),
        })}
      </p>
    </>
  );
}
