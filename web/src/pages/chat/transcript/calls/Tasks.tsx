/** Sub-agents side by side, each with its task, its calls and what it found. */
import { Typography } from "antd";
import { useState } from "react";
import { Markdown } from "@/components/markdown/Markdown";
import { CallLine } from "@/pages/chat/transcript/calls/CallLine";
import { Calls } from "@/pages/chat/transcript/calls/Calls";
import { resultText } from "@/pages/chat/transcript/calls/describe";
import { Elapsed } from "@/pages/chat/transcript/calls/Elapsed";
import { CallIcon, StatusIcon } from "@/pages/chat/transcript/calls/icons";
import { callStatus, type Task } from "@/pages/chat/transcript/rows";
import { useSetting } from "@/pages/chat/transcript/setting";
import { transcriptTexts } from "@/pages/chat/transcript/texts";
import type { CallItem } from "@/stream/conversation";
import { useTexts } from "@/i18n";
import { formatDuration } from "@/i18n/format";

export function Tasks({ tasks, shared }: { tasks: readonly Task[]; shared: readonly CallItem[] }) {
  const t = useTexts(transcriptTexts);
  return (
    <>
      <div className="tasks">
        {tasks.map((task) => (
          <TaskView key={task.call.key} task={task} />
        ))}
      </div>
      {shared.length > 0 && (
        <>
          <Typography.Text type="secondary" className="small">
            {t("shared_calls", { name: [...new Set(shared.map((call) => call.subagent))].join(", ") })}
          </Typography.Text>
          <Calls calls={shared} />
        </>
      )}
    </>
  );
}

function TaskView({ task: { call, calls } }: { task: Task }) {
  const t = useTexts(transcriptTexts);
  const { activeRunId } = useSetting();
  const status = callStatus(call, activeRunId);
  const running = status === "running";
  const [chosen, setChosen] = useState<boolean | null>(null);
  const open = chosen ?? status === "failed";
  const name = String(call.args.subagent_type ?? call.tool);
  const took = call.result?.duration_ms;
  const last = calls.at(-1);
  return (
    <div className={`task ${status}`} role="group" aria-label={name}>
      <button type="button" className="line" aria-expanded={open} onClick={() => setChosen(!open)}>
        <CallIcon tool="task" />
        <span className="line-verb">{name}</span>
        <span className="line-end small">
          {calls.length > 0 && t(calls.length === 1 ? "calls_one" : "task_calls", { count: calls.length })}{" "}
          {running ? <Elapsed since={call.at} /> : typeof took === "number" && formatDuration(took)}{" "}
          <StatusIcon status={status} />
        </span>
      </button>
      <div className={open ? "task-text" : "task-text short"}>{String(call.args.description ?? "")}</div>
      {open ? (
        <>
          <Calls calls={calls} />
          {call.result && <Markdown text={resultText(call)} />}
        </>
      ) : (
        running && last && <CallLine call={last} />
      )}
    </div>
  );
}
