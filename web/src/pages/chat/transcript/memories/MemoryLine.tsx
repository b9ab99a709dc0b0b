/** What became of a memory, in one quiet line. */
import { HistoryOutlined } from "@ant-design/icons";
import { Link } from "react-router";
import { memoryPath } from "@/api/learned/memories";
import { chatMemoryTexts } from "@/pages/chat/transcript/memories/texts";
import type { MemoryItem } from "@/stream/conversation";
import { useTexts } from "@/i18n";
import { useDataText } from "@/i18n/dataTexts";

/** What is still there to be looked at. */
const KEPT = new Set<string>(["added", "replaced", "retired"]);

/** What was learned in another session stands here without its text. */
function nameOf({ change, content }: MemoryItem["event"]) {
  return content || (change !== "merged" && change !== "retired") ? change : (`${change}_other` as const);
}

export function MemoryLine({ event }: Pick<MemoryItem, "event">) {
  const t = useTexts(chatMemoryTexts);
  const said = useDataText();
  const { change, memory_id, content, reason } = event;
  return (
    <div className="line">
      <HistoryOutlined aria-hidden />
      <span className="line-reason">
        {t(nameOf(event), { reason: said(reason) })}{" "}
        {memory_id && content && KEPT.has(change) ? (
          // Within a sentence colour alone does not tell a link.
          <Link to={memoryPath(memory_id)} style={{ textDecoration: "underline" }}>
            {content}
          </Link>
        ) : (
          content
        )}
      </span>
    </div>
  );
}
