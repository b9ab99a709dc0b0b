/** A skill, a sub-agent or an earlier way of working that came into play. */
import { ApartmentOutlined } from "@ant-design/icons";
import { transcriptTexts } from "@/pages/chat/transcript/texts";
import type { AgentItem } from "@/stream/conversation";
import { useTexts } from "@/i18n";
import { formatPercent } from "@/i18n/format";

export function AgentLine({ item: { event } }: { item: AgentItem }) {
  const t = useTexts(transcriptTexts);
  let says: string;
  if (event.event_type === "skill") says = t("skill", { name: event.name, phase: event.phase });
  else if (event.event_type === "subagent") says = `${event.name}: ${event.task}`;
  else says = t("pattern", { similarity: formatPercent(event.similarity) });
  return (
    <div className="line">
      <ApartmentOutlined aria-hidden />
      <span className="line-argument">{says}</span>
    </div>
  );
}
