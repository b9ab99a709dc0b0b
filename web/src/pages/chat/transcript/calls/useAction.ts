/** Says what a call does, in the language of now. */
import { keyArgument, mcpName } from "@/pages/chat/transcript/calls/describe";
import { transcriptTexts, type TranscriptKey } from "@/pages/chat/transcript/texts";
import type { CallItem } from "@/stream/conversation";
import { useTexts } from "@/i18n";

export function useAction() {
  const t = useTexts(transcriptTexts);
  const verb = (tool: string): string => {
    if (tool.startsWith("mcp__")) return mcpName(tool).tool;
    const key = `verb_${tool}`;
    return key in transcriptTexts.en ? t(key as TranscriptKey) : tool;
  };
  const action = (call: Pick<CallItem, "tool" | "args">): string =>
    `${verb(call.tool)} ${keyArgument(call)}`.trim();
  return { verb, action };
}
