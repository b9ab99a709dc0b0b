/** One step of a plan: how it stands, who works on it, what it used and what came of it. */
import {
  CheckCircleOutlined,
  ClockCircleOutlined,
  CloseCircleOutlined,
  FieldTimeOutlined,
  MinusCircleOutlined,
  RightCircleOutlined,
  RightOutlined,
} from "@ant-design/icons";
import { Typography } from "antd";
import { useState, type ReactNode } from "react";
import { useSubAgentColour } from "@/api/subagents";
import { AgentName } from "@/components/agents/AgentName";
import { Markdown } from "@/components/markdown/Markdown";
import { planBodyTexts } from "@/pages/chat/plan/body/texts";
import { Elapsed } from "@/pages/chat/transcript/calls/Elapsed";
import { useTexts } from "@/i18n";
import { useDataText } from "@/i18n/dataTexts";
import { formatCompact, formatDuration, formatMoney } from "@/i18n/format";
import type { PlanStep } from "@/stream/conversation";

const ICONS = {
  pending: ClockCircleOutlined,
  in_progress: RightCircleOutlined,
  completed: CheckCircleOutlined,
  failed: CloseCircleOutlined,
  skipped: MinusCircleOutlined,
  timeout: FieldTimeOutlined,
  cancelled: MinusCircleOutlined,
};

interface Props {
  step: PlanStep;
  running: boolean;
}

export function StepLine({ step, running }: Props) {
  const t = useTexts(planBodyTexts);
  const said = useDataText();
  const [open, setOpen] = useState(false);
  const { number, text, status, result, startedAt } = step;
  const isCurrent = running && status === "in_progress";
  const failed = status === "failed" || status === "timeout";
  // Of these it is why, and short.
  const isReason = failed || status === "skipped" || status === "cancelled";
  const Icon = ICONS[status];
  return (
    <li className={open ? "plan-step open" : "plan-step"} aria-current={isCurrent ? "step" : undefined}>
      <div className="plan-step-head">
        <Icon className={`plan-icon ${status}`} aria-label={t(running || status !== "in_progress" ? status : "begun")} />
        <span className={`plan-text ${status}`}>
          <span className="plan-number">{number}.</span> {text}
        </span>
      </div>
      <div className="plan-facts plan-small">
        {isCurrent && startedAt !== null && <Elapsed since={startedAt} />}
        <Facts step={step} />
        {result && !isReason && (
          <button type="button" className="plan-unfold" aria-expanded={open} onClick={() => setOpen(!open)}>
            <RightOutlined aria-hidden /> {t("result", { number })}
          </button>
        )}
      </div>
      {result && isReason && (
        <div className="plan-facts plan-small">
          <Typography.Text type={failed ? "danger" : "secondary"} className="plan-small">
            {t("why", { reason: said(result) })}
          </Typography.Text>
        </div>
      )}
      {open && (
        <div className="plan-result">
          <Markdown text={result} />
        </div>
      )}
    </li>
  );
}

function Facts({ step }: { step: PlanStep }) {
  const t = useTexts(planBodyTexts);
  const { agent, dependencies, durationMs, tokens, cost, currency, status, expectedOutput } = step;
  const facts: [string, ReactNode][] = [
    ["agent", agent && <Agent name={agent} />],
    ["after", dependencies.length > 0 && t("after", { steps: dependencies.join(", ") })],
    ["duration", durationMs !== null && formatDuration(durationMs)],
    ["tokens", tokens !== null && tokens > 0 && t("tokens", { count: formatCompact(tokens) })],
    ["cost", formatMoney(cost, currency)],
    ["expected", status === "pending" && expectedOutput && t("expected", { text: expectedOutput })],
  ];
  return facts.map(([name, fact]) => fact && <span key={name}>{fact}</span>);
}

function Agent({ name }: { name: string }) {
  return <AgentName name={name} colour={useSubAgentColour(name)} />;
}
