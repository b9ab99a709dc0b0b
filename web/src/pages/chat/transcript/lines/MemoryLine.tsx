/** Memories that the model was given, or what became of one. */
import { HistoryOutlined } from "@ant-design/icons";
import { memoryLineTexts } from "@/pages/chat/transcript/lines/memoryTexts";
import type { MemoryItem } from "@/stream/conversation";
import { useTexts } from "@/i18n";
import { useDataText } from "@/i18n/dataTexts";

export function MemoryLine({ event }: Pick<MemoryItem, "event">) {
  const t = useTexts(memoryLineTexts);
  const said = useDataText();
  const lines =
    event.event_type === "memory_recalled"
      ? event.memories.map(({ content }) => t("recalled", { content: String(content) }))
      : [t(event.change, { content: event.content, reason: said(event.reason) })];
  // What was known before is no news.
  if (event.event_type === "memory_changed" && event.change === "merged") return null;
  return lines.map((line, at) => (
    <div className="line" key={at}>
      <HistoryOutlined aria-hidden />
      <span className="line-reason">{line}</span>
    </div>
  ));
}
