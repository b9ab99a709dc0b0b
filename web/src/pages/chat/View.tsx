/** The chat: the sessions beside (or behind a button on a phone), one of them open. */
import { Drawer, Grid } from "antd";
import { useState } from "react";
import { useParams } from "react-router";
import { useThingTitle } from "@/app/navigation/title";
import { NewChat } from "@/pages/chat/NewChat";
import { useSession } from "@/pages/chat/session/queries";
import { SessionChat } from "@/pages/chat/SessionChat";
import { SessionsPane } from "@/pages/chat/sessions/SessionsPane";
import { chatTexts } from "@/pages/chat/texts";
import { useTexts } from "@/i18n";
import "@/pages/chat/chat.css";

export default function Chat() {
  const t = useTexts(chatTexts);
  const { sessionId } = useParams();
  const wide = Grid.useBreakpoint().lg ?? window.innerWidth >= 992;
  const [drawer, setDrawer] = useState(false);
  useThingTitle(useSession(sessionId ?? "").data?.title ?? null);
  const pane = <SessionsPane openId={sessionId} onOpened={() => setDrawer(false)} />;
  const onSessions = wide ? null : () => setDrawer(true);
  return (
    <div className="chat">
      {wide ? (
        <div className="chat-side">{pane}</div>
      ) : (
        <Drawer
          open={drawer}
          onClose={() => setDrawer(false)}
          placement="left"
          size={320}
          title={t("sessions")}
          destroyOnHidden
        >
          {pane}
        </Drawer>
      )}
      {sessionId ? (
        <SessionChat key={sessionId} sessionId={sessionId} onSessions={onSessions} />
      ) : (
        <NewChat onSessions={onSessions} />
      )}
    </div>
  );
}
