/** Calls that stand together: one line each, three and more folded into one. */
import { RightOutlined } from "@ant-design/icons";
import { useState } from "react";
import { CallLine } from "@/pages/chat/transcript/calls/CallLine";
import { callStatus } from "@/pages/chat/transcript/rows";
import { useSetting } from "@/pages/chat/transcript/setting";
import { transcriptTexts } from "@/pages/chat/transcript/texts";
import type { CallItem } from "@/stream/conversation";
import { useTexts } from "@/i18n";
import { formatDuration } from "@/i18n/format";

const GROUPED_MIN = 3;

export function Calls({ calls }: { calls: readonly CallItem[] }) {
  if (calls.length >= GROUPED_MIN) return <Group calls={calls} />;
  return calls.map((call) => <CallLine key={call.key} call={call} />);
}

function Group({ calls }: { calls: readonly CallItem[] }) {
  const t = useTexts(transcriptTexts);
  const { activeRunId } = useSetting();
  const [open, setOpen] = useState(false);
  const having = (status: string) => calls.filter((call) => callStatus(call, activeRunId) === status);
  const [failed, running] = [having("failed"), having("running")];
  const took = calls.reduce((sum, call) => sum + (call.result?.duration_ms ?? 0), 0);
  // What runs is seen although the group is folded.
  const shown = open ? calls : running;
  return (
    <div className="call-group">
      <button type="button" className="line" aria-expanded={open} onClick={() => setOpen(!open)}>
        <RightOutlined className="line-arrow" aria-hidden />
        <span className="line-verb">{t("calls", { count: calls.length })}</span>
        {failed.length > 0 && <span className="failed-count">{t("failed", { count: failed.length })}</span>}
        {running.length > 0 && <span>{t("running", { count: running.length })}</span>}
        <span className="small line-end">{formatDuration(took)}</span>
      </button>
      {shown.length > 0 && (
        <div className="call-group-calls">
          {shown.map((call) => (
            <CallLine key={call.key} call={call} />
          ))}
        </div>
      )}
    </div>
  );
}
