/** A conversation: user messages, and the agent's thoughts, calls and answers. */
import { DownOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useMemo, useRef } from "react";
import { RowView } from "@/pages/chat/transcript/Row";
import { rowsOf } from "@/pages/chat/transcript/rows";
import { SettingContext, type Setting, type TranscriptActions } from "@/pages/chat/transcript/setting";
import { StatusLine } from "@/pages/chat/transcript/lines/StatusLine";
import { transcriptTexts } from "@/pages/chat/transcript/texts";
import { useEventInView } from "@/pages/chat/transcript/scroll/useEventInView";
import { useLastActions } from "@/pages/chat/transcript/scroll/useLastActions";
import { useNewest } from "@/pages/chat/transcript/scroll/useNewest";
import { useStickToEnd } from "@/pages/chat/transcript/scroll/useStickToEnd";
import type { Conversation } from "@/stream/conversation";
import { useTexts } from "@/i18n";
import "@/pages/chat/transcript/transcript.css";

interface Props {
  conversation: Conversation;
  messages: ReadonlyMap<string, { text: string; at: number }>;
  sessionId: string;
  canAnswer: boolean;
  actions?: TranscriptActions;
}

/** Scrolls by itself: give it a place of a known height. */
export default function Transcript(props: Props) {
  // Another session is another place to scroll in.
  return <Open key={props.sessionId} {...props} />;
}

const NO_ACTIONS: TranscriptActions = {};

function Open({ conversation, messages, sessionId, canAnswer, actions = NO_ACTIONS }: Props) {
  const t = useTexts(transcriptTexts);
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { items, runs, activeRunId } = conversation;
  const rows = useMemo(() => rowsOf({ items, runs }), [items, runs]);
  const { away, toEnd } = useStickToEnd(scroller, content);
  const asked = useEventInView(rows, conversation.lastSeq, scroller);
  const { hidden, sentinel } = useNewest(rows.length, scroller, away, asked);
  const stable = useLastActions(actions);
  const setting = useMemo<Setting>(
    () => ({ sessionId, canAnswer, activeRunId, actions: stable }),
    [sessionId, canAnswer, activeRunId, stable],
  );
  return (
    <SettingContext.Provider value={setting}>
      <div className="transcript">
        <div ref={scroller} className="transcript-scroll" role="log" aria-live="off" aria-label={t("conversation")} tabIndex={0}>
          <div ref={content} className="transcript-rows">
            {hidden > 0 && (
              <div ref={sentinel} className="transcript-older">
                {t("older")}
              </div>
            )}
            {rows.slice(hidden).map((row) => {
              const said = row.kind === "message" ? messages.get(row.start.messageId) : undefined;
              return <RowView key={row.key} row={row} text={said?.text} at={said?.at} />;
            })}
            <StatusLine conversation={conversation} canAnswer={canAnswer} />
          </div>
        </div>
        {away && (
          <Button className="transcript-latest" shape="round" icon={<DownOutlined />} onClick={toEnd}>
            {t("to_latest")}
          </Button>
        )}
      </div>
    </SettingContext.Provider>
  );
}
