/** What the agent thought: folded, with how long it took. */
import { BulbOutlined, RightOutlined } from "@ant-design/icons";
import { useState } from "react";
import { transcriptTexts } from "@/pages/chat/transcript/texts";
import type { ThoughtItem } from "@/stream/conversation";
import { useTexts } from "@/i18n";
import { formatDuration } from "@/i18n/format";

export function Thought({ item }: { item: ThoughtItem }) {
  const t = useTexts(transcriptTexts);
  const [open, setOpen] = useState(false);
  const took = item.endedAt - item.at;
  const done = took < 1 ? t("thought") : t("thought_for", { time: formatDuration(took * 1000) });
  return (
    <div className="thought">
      <button type="button" className="line" aria-expanded={open} onClick={() => setOpen(!open)}>
        <RightOutlined className="line-arrow" aria-hidden />
        <BulbOutlined aria-hidden />
        <span>{item.final ? done : t("thinking")}</span>
      </button>
      {open && <div className="thought-text">{item.text}</div>}
    </div>
  );
}
