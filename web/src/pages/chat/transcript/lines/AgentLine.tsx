/** A skill, a sub-agent or an earlier way of working that came into play: one quiet line. */
import { ApartmentOutlined, BookOutlined } from "@ant-design/icons";
import { transcriptTexts } from "@/pages/chat/transcript/texts";
import type { AgentItem } from "@/stream/conversation";
import type { EventOf } from "@/stream/events";
import { useTexts, type Say } from "@/i18n";
import { formatPercent } from "@/i18n/format";

export function AgentLine({ item: { event } }: { item: AgentItem }) {
  const t = useTexts(transcriptTexts);
  let says: string;
  if (event.event_type === "skill") says = skillText(event, t);
  else if (event.event_type === "subagent") says = subagentText(event, t);
  else says = t("pattern", { similarity: formatPercent(event.similarity) });
  return (
    <div className="line">
      {event.event_type === "skill" ? <BookOutlined aria-hidden /> : <ApartmentOutlined aria-hidden />}
      <span className="line-argument" title={says}>
        {says}
      </span>
    </div>
  );
}

/** The router's choice is told before the work begins; older logs tell of the work here. */
function subagentText({ name, task, reason }: EventOf<"subagent">, t: Say<keyof typeof transcriptTexts.en>): string {
  if (task) return `${name}: ${task}`;
  return reason ? t("routed_why", { name, why: reason }) : t("routed", { name });
}

function skillText({ name, phase, detail }: EventOf<"skill">, t: Say<keyof typeof transcriptTexts.en>): string {
  const why = [detail.reason, detail.error].find((each) => typeof each === "string" && each !== "");
  const said = t(`skill_${phase}`, { name });
  return typeof why === "string" ? t("skill_why", { said, why }) : said;
}
