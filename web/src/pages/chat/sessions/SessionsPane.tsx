/** One's sessions, newest first: find one, open one, tidy up. */
import { PlusOutlined } from "@ant-design/icons";
import { Button, Flex, Input, Typography } from "antd";
import { Suspense, useState } from "react";
import { useNavigate } from "react-router";
import type { Schemas } from "@/api/client";
import { useMe } from "@/api/me";
import { useRequests } from "@/api/requests";
import { usePreferences } from "@/app/state/preferences";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { Segments } from "@/components/forms/Segments";
import { Waiting } from "@/components/states/Waiting";
import { lazyPart } from "@/pages/chat/lazyPart";
import { useDelete } from "@/pages/chat/sessions/actions";
import { ImportButton } from "@/pages/chat/sessions/ImportButton";
import { SessionRow } from "@/pages/chat/sessions/SessionRow";
import { sessionTexts } from "@/pages/chat/sessions/texts";
import { useSettled } from "@/components/forms/useSettled";
import { useBusySessions, useSessions } from "@/pages/chat/session/queries";
import { useTexts } from "@/i18n";

const RenameDialog = lazyPart("RenameDialog", () => import("@/pages/chat/sessions/RenameDialog"));

interface Props {
  openId: string | undefined;
  onOpened: () => void;
}

export function SessionsPane({ openId, onOpened }: Props) {
  const t = useTexts(sessionTexts);
  const me = useMe();
  const navigate = useNavigate();
  const projectId = usePreferences((state) => state.projectId);
  const [typed, setTyped] = useState("");
  const words = useSettled(typed.trim());
  const [shared, setShared] = useState(false);
  const [renaming, setRenaming] = useState<Schemas["SessionInfo"] | null>(null);
  const remove = useDelete(openId);
  const sessions = useSessions(projectId, words, shared);
  const waiting = new Set((useRequests().data ?? []).map((each) => each.session_id));
  const busy = new Set(useBusySessions().data ?? []);
  const found = sessions.data?.pages.flatMap((page) => page.items) ?? [];
  const fresh = () => {
    void navigate("/chat");
    onOpened();
  };
  return (
    <Flex component="nav" vertical gap={8} className="chat-sessions" aria-label={t("list")}>
      {me.role !== "viewer" && (
        <Flex gap={8}>
          <Button type="primary" icon={<PlusOutlined />} onClick={fresh} style={{ flex: 1 }}>
            {t("new_chat")}
          </Button>
          <ImportButton onOpened={onOpened} />
        </Flex>
      )}
      <Input.Search
        allowClear
        aria-label={t("search")}
        placeholder={t("search")}
        value={typed}
        loading={sessions.isFetching && words !== ""}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Segments<boolean>
        block
        aria-label={t("whose")}
        value={shared}
        onChange={setShared}
        options={[
          { value: false, label: t("mine") },
          { value: true, label: t("shared_with_me") },
        ]}
      />
      {sessions.isPending && <Waiting />}
      {sessions.error && (
        <ErrorNotice error={sessions.error} retry={() => void sessions.refetch()} />
      )}
      {sessions.data && found.length === 0 && (
        <Typography.Text type="secondary">
          {words ? t("none_found", { words }) : t(shared ? "none_shared" : "none")}
          {words && (
            <Button type="link" size="small" onClick={() => setTyped("")}>
              {t("clear")}
            </Button>
          )}
        </Typography.Text>
      )}
      <ul className="chat-session-list">
        {found.map((session) => (
          <SessionRow
            key={session.session_id}
            session={session}
            current={session.session_id === openId}
            waiting={waiting.has(session.session_id)}
            running={busy.has(session.session_id)}
            onOpened={onOpened}
            onRename={setRenaming}
            onDelete={remove}
          />
        ))}
      </ul>
      {sessions.hasNextPage && (
        <Button loading={sessions.isFetchingNextPage} onClick={() => void sessions.fetchNextPage()}>
          {t("more")}
        </Button>
      )}
      <Suspense>
        {renaming && <RenameDialog session={renaming} onClose={() => setRenaming(null)} />}
      </Suspense>
    </Flex>
  );
}
