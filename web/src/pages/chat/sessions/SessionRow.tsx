import { EllipsisOutlined } from "@ant-design/icons";
import { Button, Dropdown, Typography } from "antd";
import { Link } from "react-router";
import type { Schemas } from "@/api/client";
import { useMe } from "@/api/me";
import { useExportItems } from "@/pages/chat/sessions/actions";
import { sessionTexts } from "@/pages/chat/sessions/texts";
import { usePersonName } from "@/pages/chat/share/usePersonName";
import { formatAgo } from "@/i18n/format";
import { useTexts } from "@/i18n";

type Session = Schemas["SessionInfo"];

interface Props {
  session: Session;
  current: boolean;
  waiting: boolean;
  running: boolean;
  onOpened: () => void;
  onRename: (session: Session) => void;
  onDelete: (session: Session) => void;
}

export function SessionRow(props: Props) {
  const { session, current, waiting, running, onOpened, onRename, onDelete } = props;
  const t = useTexts(sessionTexts);
  const me = useMe();
  const exports = useExportItems(session.session_id);
  const title = session.title ?? t("untitled");
  const mine = session.user_id === me.user_id;
  const owner = usePersonName(mine ? null : session.user_id);
  const writes = mine && me.role !== "viewer";
  return (
    <li className={current ? "chat-session chat-session-current" : "chat-session"}>
      <Link
        to={`/chat/${session.session_id}`}
        aria-current={current ? "page" : undefined}
        onClick={onOpened}
      >
        <span className="chat-one-line">{title}</span>
        <small className="chat-secondary">
          {waiting && <Dot kind="waits" text={t("waits")} />}
          {!waiting && running && <Dot kind="runs" text={t("runs")} />}
          {!waiting && !running && formatAgo(session.last_active)}
          {!mine && <> · {t("theirs", { user: owner })}</>}
          {mine && session.shared && <> · {t("shared")}</>}
        </small>
        {session.found && (
          <Typography.Text type="secondary" className="chat-found">
            {session.found.snippet}
          </Typography.Text>
        )}
      </Link>
      <Dropdown
        trigger={["click"]}
        menu={{
          items: [
            ...(writes
              ? [{ key: "rename", label: t("rename"), onClick: () => onRename(session) }]
              : []),
            { key: "export", label: t("export"), children: exports },
            ...(writes
              ? [
                  {
                    key: "delete",
                    label: t("remove"),
                    danger: true,
                    onClick: () => onDelete(session),
                  },
                ]
              : []),
          ],
        }}
      >
        <Button
          size="small"
          type="text"
          icon={<EllipsisOutlined />}
          aria-label={t("menu", { title })}
        />
      </Dropdown>
    </li>
  );
}

function Dot({ kind, text }: { kind: "waits" | "runs"; text: string }) {
  return (
    <>
      <span className={`chat-dot chat-dot-${kind}`} aria-hidden /> {text}
    </>
  );
}
