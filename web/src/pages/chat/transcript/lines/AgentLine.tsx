/** A skill, a sub-agent or an earlier way of working that came into play: one quiet line. */
import { ApartmentOutlined, BookOutlined } from "@ant-design/icons";
import { Suspense } from "react";
import { lazyPart } from "@/pages/chat/lazyPart";
import { transcriptTexts } from "@/pages/chat/transcript/texts";
import type { AgentItem } from "@/stream/conversation";
import type { EventOf } from "@/stream/events";
import { useTexts, type Say } from "@/i18n";
import { useDataText } from "@/i18n/dataTexts";

const PatternLine = lazyPart("PatternLine", () => import("@/pages/chat/transcript/patterns/PatternLine"));

export function AgentLine({ item: { event } }: { item: AgentItem }) {
  const t = useTexts(transcriptTexts);
  const said = useDataText();
  if (event.event_type === "pattern_match") {
    return (
      <Suspense>
        <PatternLine event={event} />
      </Suspense>
    );
  }
  const says = event.event_type === "skill" ? skillText(event, t, said) : subagentText(event, t, said);
  return (
    <div className="line">
      {event.event_type === "skill" ? <BookOutlined aria-hidden /> : <ApartmentOutlined aria-hidden />}
      <span className="line-reason">{says}</span>
    </div>
  );
}

type Words = Say<keyof typeof transcriptTexts.en>;
type Said = (text: string) => string;

/** The router's choice is told before the work begins; older logs tell of the work here. */
function subagentText({ name, task, reason }: EventOf<"subagent">, t: Words, said: Said): string {
  if (task) return `${name}: ${task}`;
  return reason ? t("routed_why", { name, why: said(reason) }) : t("routed", { name });
}

function skillText({ name, phase, detail }: EventOf<"skill">, t: Words, said: Said): string {
  const why = [detail.reason, detail.error].find((each) => typeof each === "string" && each !== "");
  const what = t(`skill_${phase}`, { name });
  return typeof why === "string" ? t("skill_why", { said: what, why: said(why) }) : what;
}
