/** One call on one line: what, on what, how it went, how long; unfolds to its card. */
import { RightOutlined } from "@ant-design/icons";
import { useState } from "react";
import { DiffCounts } from "@/components/diff/DiffView";
import { Card } from "@/pages/chat/transcript/calls/Card";
import { keyArgument, kindOf, resultText } from "@/pages/chat/transcript/calls/describe";
import { Elapsed } from "@/pages/chat/transcript/calls/Elapsed";
import { Made } from "@/pages/chat/transcript/calls/Made";
import { CallIcon, StatusIcon } from "@/pages/chat/transcript/calls/icons";
import { useAction } from "@/pages/chat/transcript/calls/useAction";
import { callStatus } from "@/pages/chat/transcript/rows";
import { useSetting } from "@/pages/chat/transcript/setting";
import { transcriptTexts } from "@/pages/chat/transcript/texts";
import type { CallItem } from "@/stream/conversation";
import { useTexts } from "@/i18n";
import { useDataText } from "@/i18n/dataTexts";
import { formatDuration, formatNumber } from "@/i18n/format";

export function CallLine({ call }: { call: CallItem }) {
  const { verb } = useAction();
  const { activeRunId } = useSetting();
  const said = useDataText();
  const status = callStatus(call, activeRunId);
  // An error is unfolded until the user folds it.
  const [chosen, setChosen] = useState<boolean | null>(null);
  const open = chosen ?? status === "failed";
  const took = call.result?.duration_ms;
  const first = resultText(call).split("\n")[0] ?? "";
  const brief = kindOf(call.tool) === "data" ? said(first) : first;
  return (
    <div className={`call ${status}`}>
      <button type="button" className="line" aria-expanded={open} onClick={() => setChosen(!open)}>
        <RightOutlined className="line-arrow" aria-hidden />
        <CallIcon tool={call.tool} />
        <span className="line-verb">{verb(call.tool)}</span>
        <span className="line-argument">{keyArgument(call)}</span>
        <span className="line-end small">
          <Counts call={call} />
          {status === "running" ? <Progress call={call} /> : typeof took === "number" && formatDuration(took)}{" "}
          <StatusIcon status={status} />
        </span>
      </button>
      {!open && status === "failed" && <div className="call-brief">{brief}</div>}
      {open && (
        <div className="call-card">
          <Card call={call} />
        </div>
      )}
      <Made call={call} />
    </div>
  );
}

function Counts({ call }: { call: CallItem }) {
  const sum = (name: string) =>
    call.files.reduce((all, { metrics }) => all + (Number(metrics[name] ?? 0) || 0), 0);
  const [added, removed] = [sum("lines_added"), sum("lines_removed")];
  return added + removed > 0 ? <DiffCounts added={added} removed={removed} /> : null;
}

function Progress({ call }: { call: CallItem }) {
  const t = useTexts(transcriptTexts);
  const { progress } = call;
  return (
    <>
      {progress?.message}{" "}
      {progress &&
        (progress.total === null
          ? formatNumber(progress.done)
          : t("progress", { done: formatNumber(progress.done), total: formatNumber(progress.total) }))}{" "}
      <Elapsed since={call.at} />
    </>
  );
}
