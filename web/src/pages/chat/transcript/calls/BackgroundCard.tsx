/** A task in the background: how it is now; what it does stands in a conversation of its own. */
import { useSubAgentColour } from "@/api/subagents";
import type { Schemas } from "@/api/client";
import { AgentName } from "@/components/agents/AgentName";
import { cssColour } from "@/components/agents/colours";
import { LinkButton } from "@/components/links/LinkButton";
import { useTaskRun } from "@/pages/chat/session/queries";
import { Elapsed } from "@/pages/chat/transcript/calls/Elapsed";
import { StatusIcon } from "@/pages/chat/transcript/calls/icons";
import { figuresOf, nameOf } from "@/pages/chat/transcript/calls/taskFigures";
import type { CallStatus, Task } from "@/pages/chat/transcript/rows";
import { transcriptTexts } from "@/pages/chat/transcript/texts";
import { useTexts } from "@/i18n";
import { useDataText } from "@/i18n/dataTexts";
import { formatDuration } from "@/i18n/format";

type Run = Schemas["RunInfo"];

const STATUS: Record<Run["status"], CallStatus> = {
  queued: "running",
  running: "running",
  waiting_approval: "running",
  completed: "ok",
  failed: "failed",
  cancelled: "stopped",
};

export function BackgroundCard({ task, sessionId }: { task: Task; sessionId: string }) {
  const t = useTexts(transcriptTexts);
  const said = useDataText();
  // Null where it cannot be read: deleted, or of somebody else.
  const run = useTaskRun(sessionId).data ?? null;
  const status = run ? STATUS[run.status] : "ok";
  const name = nameOf(task);
  const colour = useSubAgentColour(name);
  return (
    <div
      className={`task ${status}`}
      role="group"
      aria-label={name}
      style={{ borderInlineStart: `3px solid ${cssColour(colour)}` }}
    >
      <div className="line">
        <span className="line-verb">
          <AgentName name={name} colour={colour} />
        </span>
        {run && (
          <span className="line-end small">
            <Took run={run} /> <StatusIcon status={status} />
          </span>
        )}
      </div>
      <div className="task-text">{figuresOf(task).text}</div>
      {run?.error && <div className="task-text small">{said(run.error)}</div>}
      <div className="task-text small">
        {t("in_background")} <span role="status">{run && t(`background_${run.status}`)}</span>{" "}
        <LinkButton size="small" to={`/chat/${sessionId}`}>
          {t("open_task")}
        </LinkButton>
      </div>
    </div>
  );
}

function Took({ run }: { run: Run }) {
  const begun = Date.parse(run.started_at ?? run.created_at);
  if (run.completed_at === null) return <Elapsed since={begun / 1000} />;
  return <>{formatDuration(Date.parse(run.completed_at) - begun)}</>;
}
