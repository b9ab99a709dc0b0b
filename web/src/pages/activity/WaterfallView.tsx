/** Bars over time, one row a step. A row says in words what its bar shows. */
import {
  CompressOutlined,
  ReloadOutlined,
  RobotOutlined,
  TeamOutlined,
  ToolOutlined,
  UserOutlined,
} from "@ant-design/icons";
import { Typography } from "antd";
import type { ReactNode } from "react";
import { CodeBlock } from "@/components/code/CodeBlock";
import { JsonView } from "@/components/code/JsonView";
import { useTexts } from "@/i18n";
import { formatCompact, formatDuration, formatMoney } from "@/i18n/format";
import { texts } from "@/pages/activity/texts";
import type { Bar, BarKind, Waterfall } from "@/pages/activity/waterfall";
import "@/pages/activity/activity.css";

const ICONS: Record<BarKind, ReactNode> = {
  model: <RobotOutlined />,
  tool: <ToolOutlined />,
  subagent: <TeamOutlined />,
  wait: <UserOutlined />,
  retry: <ReloadOutlined />,
  compaction: <CompressOutlined />,
};

interface Props {
  waterfall: Waterfall;
  full: boolean;
  /** Seconds since 1970, for what is under way. */
  now: number;
}

export function WaterfallView({ waterfall, full, now }: Props) {
  const t = useTexts(texts);
  const end = waterfall.to ?? Math.max(now, ...waterfall.bars.map((bar) => bar.to ?? bar.from));
  const span = Math.max(0.001, end - waterfall.from);
  return (
    <section aria-label={t("steps")}>
      <ol className="waterfall">
        {waterfall.bars.map((bar) => (
          <Row key={bar.key} bar={bar} full={full} start={waterfall.from} span={span} end={end} />
        ))}
      </ol>
    </section>
  );
}

interface RowProps {
  bar: Bar;
  full: boolean;
  start: number;
  span: number;
  end: number;
}

function Row({ bar, full, start, span, end }: RowProps) {
  const t = useTexts(texts);
  const seconds = (bar.to ?? end) - bar.from;
  const name = bar.kind === "tool" || bar.kind === "subagent" ? bar.name : t(`kind_${bar.kind}`);
  const duration = formatDuration(seconds * 1000);
  const label = t("step_label", {
    name,
    from: formatDuration((bar.from - start) * 1000),
    duration,
    status: t(`bar_${bar.status}`),
  });
  return (
    <li className={bar.depth ? "inside" : undefined}>
      <span className="waterfall-name" title={name}>
        {ICONS[bar.kind]} {name}
      </span>
      <span className="waterfall-track" role="img" aria-label={label} title={label}>
        <span
          className={`waterfall-bar ${bar.kind} ${bar.status}`}
          style={{
            left: `${((bar.from - start) / span) * 100}%`,
            width: `${Math.max(0.3, (seconds / span) * 100)}%`,
          }}
        />
      </span>
      <span className="waterfall-numbers">
        {duration}
        {bar.status !== "ok" && ` · ${t(`bar_${bar.status}`)}`}
        {bar.tokens && ` · ${t("step_tokens", { count: formatCompact(bar.tokens.total_tokens ?? 0) })}`}
      </span>
      {full && <Detail bar={bar} />}
    </li>
  );
}

function Detail({ bar }: { bar: Bar }) {
  const t = useTexts(texts);
  const tokens = bar.tokens;
  const words = [
    bar.firstAt !== null && t("first_word", { time: formatDuration((bar.firstAt - bar.from) * 1000) }),
    tokens &&
      t("token_counts", {
        input: formatCompact(tokens.input_tokens ?? 0),
        output: formatCompact(tokens.output_tokens ?? 0),
      }),
    tokens?.cached_read_tokens ? t("cached", { count: formatCompact(tokens.cached_read_tokens) }) : null,
    tokens && (formatMoney(bar.cost) ?? t("unknown_price")),
    bar.kind !== "tool" && bar.kind !== "subagent" && bar.name,
  ].filter(Boolean);
  const output = bar.output;
  return (
    <div className="waterfall-detail">
      {words.length > 0 && <Typography.Text type="secondary">{words.join(" · ")}</Typography.Text>}
      {bar.input && Object.keys(bar.input).length > 0 && (
        <>
          <Typography.Text type="secondary">{t("input")}</Typography.Text>
          <JsonView value={bar.input} />
        </>
      )}
      {output !== null && output !== "" && (
        <>
          <Typography.Text type="secondary">{t("output")}</Typography.Text>
          {typeof output === "string" ? <CodeBlock text={output} /> : <JsonView value={output} />}
        </>
      )}
    </div>
  );
}
