/** What the agent does now, in a few words: the only part that a screen reader announces. */
import { LoadingOutlined } from "@ant-design/icons";
import { useAction } from "@/pages/chat/transcript/calls/useAction";
import { transcriptTexts } from "@/pages/chat/transcript/texts";
import type { Conversation } from "@/stream/conversation";
import { useTexts } from "@/i18n";

export function StatusLine({ conversation, canAnswer }: { conversation: Conversation; canAnswer: boolean }) {
  const t = useTexts(transcriptTexts);
  const { verb } = useAction();
  const { items, activeRunId, waiting } = conversation;
  const last = items.at(-1);
  let says = "";
  if (waiting.length > 0) says = canAnswer ? t("waits_for_you") : t("waits");
  else if (activeRunId === null) says = "";
  else if (last?.kind === "thought" && !last.final) says = t("thinking");
  else if (last?.kind === "text" && !last.final) says = t("writing");
  else if (last?.kind === "call" && !last.result) says = t("working_on", { what: verb(last.tool) });
  else if (conversation.announced) says = t("working_on", { what: `${verb("shell")} ${conversation.announced}` });
  else says = t("working");
  return (
    <div className="transcript-status" role="status">
      {waiting.length > 0 ? (
        // The request has a row of its own to be seen.
        <span className="visually-hidden">{says}</span>
      ) : (
        says && (
          <>
            <LoadingOutlined aria-hidden /> {says}
          </>
        )
      )}
    </div>
  );
}
