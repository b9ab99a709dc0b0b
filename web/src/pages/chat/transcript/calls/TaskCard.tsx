/** One run of a sub-agent: who, at what, how it went, what it cost; unfolds into its own steps. */
import { RightOutlined } from "@ant-design/icons";
import { useState, type ReactNode } from "react";
import { useSubAgentColour } from "@/api/subagents";
import { AgentName } from "@/components/agents/AgentName";
import { cssColour } from "@/components/agents/colours";
import { Markdown } from "@/components/markdown/Markdown";
import { BackgroundCard } from "@/pages/chat/transcript/calls/BackgroundCard";
import { CallLine } from "@/pages/chat/transcript/calls/CallLine";
import { resultText } from "@/pages/chat/transcript/calls/describe";
import { Elapsed } from "@/pages/chat/transcript/calls/Elapsed";
import { StatusIcon } from "@/pages/chat/transcript/calls/icons";
import { callsOf, figuresOf, isBackground, nameOf, taskStatus } from "@/pages/chat/transcript/calls/taskFigures";
import type { Row, Task } from "@/pages/chat/transcript/rows";
import { useSetting } from "@/pages/chat/transcript/setting";
import { transcriptTexts } from "@/pages/chat/transcript/texts";
import { useTexts } from "@/i18n";
import { useDataText } from "@/i18n/dataTexts";
import { formatCompact, formatDuration, formatMoney, formatPercent } from "@/i18n/format";

interface Props {
  task: Task;
  draw: (rows: readonly Row[]) => ReactNode;
}

export function TaskCard({ task, draw }: Props) {
  return isBackground(task) && task.id !== null ? <BackgroundCard task={task} sessionId={task.id} /> : <OwnCard task={task} draw={draw} />;
}

function OwnCard({ task, draw }: Props) {
  const t = useTexts(transcriptTexts);
  const said = useDataText();
  const { activeRunId } = useSetting();
  const status = taskStatus(task, activeRunId);
  const running = status === "running";
  const [chosen, setChosen] = useState<boolean | null>(null);
  const open = chosen ?? status === "failed";
  const name = nameOf(task);
  const colour = useSubAgentColour(name);
  const calls = callsOf(task.rows);
  const { text, ms, tokens, cost, currency, reason, confidence } = figuresOf(task);
  const last = calls.at(-1);
  const spent = [
    calls.length > 0 && t(calls.length === 1 ? "calls_one" : "task_calls", { count: calls.length }),
    tokens !== null && t("tokens", { count: formatCompact(tokens) }),
    formatMoney(cost, currency),
    !running && ms !== null && formatDuration(ms),
  ].filter(Boolean);
  return (
    <div
      className={`task ${status}`}
      role="group"
      aria-label={name}
      style={{ borderInlineStart: `3px solid ${cssColour(colour)}` }}
    >
      <button type="button" className="line" aria-expanded={open} onClick={() => setChosen(!open)}>
        <RightOutlined className="line-arrow" aria-hidden />
        <span className="line-verb">
          <AgentName name={name} colour={colour} />
        </span>
        <span className="line-end small">
          {running && <Elapsed since={(task.call ?? task.agent)?.at ?? 0} />} <StatusIcon status={status} />
        </span>
      </button>
      <div className={open ? "task-text" : "task-text short"}>{text}</div>
      {spent.length > 0 && <div className="task-text small">{spent.join(" · ")}</div>}
      {open && reason && (
        <div className="task-text small">
          {t(confidence === null ? "chosen_why" : "chosen_sure", { why: said(reason), share: formatPercent(confidence ?? 0) })}
        </div>
      )}
      {open ? (
        <div className="task-steps">
          {draw(task.rows)}
          {task.call?.result && <Markdown text={resultText(task.call)} />}
        </div>
      ) : (
        running && last && <CallLine call={last} />
      )}
    </div>
  );
}
