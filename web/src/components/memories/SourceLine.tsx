/** Where a memory comes from, in words, with the way to the place in the conversation. */
import { Link } from "react-router";
import { eventPath, type MemorySource } from "@/api/learned/memories";
import { memoryTexts } from "@/components/memories/texts";
import { useTexts } from "@/i18n";
import { formatTime } from "@/i18n/format";

/** As a memory has it, and as an event of a conversation tells of it. */
export type Source = Pick<MemorySource, "kind" | "seq_first"> & {
  session_id: string | null;
  tool: string | null;
  speaker: string | null;
};

interface Props {
  source: Source;
  at: string;
  /** Names the link for those who hear it among others. */
  text: string;
  /** The conversation that is open needs no link to itself. */
  openSessionId?: string;
}

export function SourceLine({ source, at, text, openSessionId }: Props) {
  const t = useTexts(memoryTexts);
  const { session_id, seq_first } = source;
  return (
    <>
      {sourceText(source, t)} · {formatTime(at)}
      {session_id && session_id !== openSessionId && (
        <>
          {" · "}
          <Link
            to={eventPath(session_id, seq_first)}
            aria-label={t("open_source_of", { text })}
            // Within a line colour alone does not tell a link.
            style={{ textDecoration: "underline" }}
          >
            {t("open_source")}
          </Link>
        </>
      )}
    </>
  );
}

function sourceText({ kind, tool, speaker }: Source, t: ReturnType<typeof useTexts<keyof typeof memoryTexts.en>>): string {
  if (kind === "manual") return t("from_manual");
  if (kind === "tool_result") return tool ? t("from_tool", { tool }) : t("from_tool_unnamed");
  return speaker ? t("from_speaker", { who: speaker }) : t("from_conversation");
}
