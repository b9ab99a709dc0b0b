/** The session's name and everything that concerns the whole of it. */
import { EditOutlined, EllipsisOutlined, UnorderedListOutlined } from "@ant-design/icons";
import { Button, Dropdown, Flex, Typography } from "antd";
import { Suspense, useState } from "react";
import { Link } from "react-router";
import type { Schemas } from "@/api/client";
import { parentOf } from "@/pages/chat/session/parent";
import { ContextMeter } from "@/pages/chat/header/ContextMeter";
import { lazyPart } from "@/pages/chat/lazyPart";
import { headerTexts } from "@/pages/chat/header/texts";
import type { ChatActions } from "@/pages/chat/actions";
import { useExportItems } from "@/pages/chat/sessions/actions";
import { useTexts } from "@/i18n";
import type { Conversation } from "@/stream/conversation";

const RenameDialog = lazyPart("RenameDialog", () => import("@/pages/chat/sessions/RenameDialog"));
const ShareDialog = lazyPart("ShareDialog", () => import("@/pages/chat/share/ShareDialog"));
const SettingsDialog = lazyPart("SettingsDialog", () => import("@/pages/chat/header/SettingsDialog"));
const CompactDialog = lazyPart("CompactDialog", () => import("@/pages/chat/header/CompactDialog"));
const ChangesDrawer = lazyPart("ChangesDrawer", () => import("@/pages/chat/header/ChangesDrawer"));

interface Props {
  session: Schemas["SessionInfo"] | undefined;
  conversation: Conversation;
  /** May write here: it is one's own. */
  writes: boolean;
  actions: ChatActions;
  /** Not there where the list stands beside the chat. */
  onSessions: (() => void) | null;
}

type Open = "rename" | "settings" | "compact" | "changes" | "share" | null;

export function ChatHeader({ session, conversation, writes, actions, onSessions }: Props) {
  const t = useTexts(headerTexts);
  const [open, setOpen] = useState<Open>(null);
  const exports = useExportItems(session?.session_id ?? "");
  const close = () => setOpen(null);
  const first = Object.values(conversation.runs)[0]?.messageId;
  const parent = parentOf(session);
  const busy = conversation.activeRunId !== null;
  return (
    <Flex component="header" align="center" gap={4} className="chat-header">
      {onSessions && (
        <Button
          type="text"
          icon={<UnorderedListOutlined />}
          aria-label={t("sessions")}
          onClick={onSessions}
        />
      )}
      {parent !== null && (
        <Link to={`/chat/${parent}`} className="small">
          ← {t("to_parent")}
        </Link>
      )}
      <Typography.Title level={1} className="chat-title">
        {session?.title ?? t("untitled")}
      </Typography.Title>
      {session && writes && (
        <Button
          type="text"
          size="small"
          icon={<EditOutlined />}
          aria-label={t("rename")}
          onClick={() => setOpen("rename")}
        />
      )}
      <span style={{ flex: 1 }} />
      {session && <ContextMeter sessionId={session.session_id} conversation={conversation} />}
      {session && (
        <Dropdown
          trigger={["click"]}
          menu={{
            items: [
              { key: "changes", label: t("changes"), onClick: () => setOpen("changes") },
              ...(writes
                ? [
                    { key: "share", label: t("share"), onClick: () => setOpen("share") },
                    { key: "fork", label: t("fork"), onClick: () => actions.forkAll() },
                    {
                      key: "compact",
                      label: t("compact"),
                      disabled: busy || !first,
                      onClick: () => setOpen("compact"),
                    },
                    { key: "settings", label: t("settings"), onClick: () => setOpen("settings") },
                  ]
                : []),
              { key: "export", label: t("export"), children: exports },
            ],
          }}
        >
          <Button type="text" icon={<EllipsisOutlined />} aria-label={t("more")} />
        </Dropdown>
      )}
      <Suspense>
        {session && open === "rename" && <RenameDialog session={session} onClose={close} />}
        {session && open === "settings" && <SettingsDialog session={session} onClose={close} />}
        {session && open === "share" && <ShareDialog session={session} onClose={close} />}
        {session && open === "compact" && (
          <CompactDialog sessionId={session.session_id} onClose={close} />
        )}
        {session && open === "changes" && (
          <ChangesDrawer
            sessionId={session.session_id}
            onClose={close}
            onRewind={writes && first ? () => (close(), actions.rewind(first)) : null}
          />
        )}
      </Suspense>
    </Flex>
  );
}
