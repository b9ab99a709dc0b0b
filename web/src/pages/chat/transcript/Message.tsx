/** A user message, and its actions. */
import { EditOutlined, FileOutlined, ForkOutlined, HistoryOutlined } from "@ant-design/icons";
import { Button, Input, Typography } from "antd";
import { useState, type ReactNode } from "react";
import { CopyButton } from "@/components/code/CodeLine";
import { Folded } from "@/components/page/Folded";
import { InlineForm } from "@/components/forms/InlineForm";
import { attachedIn } from "@/pages/chat/session/attached";
import { useSetting } from "@/pages/chat/transcript/setting";
import { transcriptTexts } from "@/pages/chat/transcript/texts";
import type { StartItem } from "@/stream/conversation";
import { useTexts } from "@/i18n";
import { formatTime } from "@/i18n/format";

interface Props {
  start: StartItem;
  text: string | undefined;
  at: number | undefined;
}

export function Message({ start, text, at }: Props) {
  const t = useTexts(transcriptTexts);
  const { actions } = useSetting();
  const [editing, setEditing] = useState(false);
  const { fork, edit, rewind } = actions;
  const id = start.messageId;
  if (editing && edit && text !== undefined) {
    return (
      <EditForm
        text={text}
        cancel={() => setEditing(false)}
        send={(changed) => {
          setEditing(false);
          edit(id, changed);
        }}
      />
    );
  }
  return (
    <div className="message" role="group" aria-label={t("you")}>
      <div className="message-text">
        {text === undefined ? (
          <Typography.Text type="secondary">{t("unknown_message")}</Typography.Text>
        ) : (
          <MessageText text={text} />
        )}
      </div>
      <div className="row-actions">
        <Typography.Text type="secondary" className="small">
          {formatTime(at ?? start.at)}
        </Typography.Text>
        {text !== undefined && <CopyButton text={text} />}
        {edit && text !== undefined && (
          <IconButton label={t("edit")} icon={<EditOutlined />} act={() => setEditing(true)} />
        )}
        {fork && <IconButton label={t("fork")} icon={<ForkOutlined />} act={() => fork(id)} />}
        {rewind && <IconButton label={t("rewind")} icon={<HistoryOutlined />} act={() => rewind(id)} />}
      </div>
    </div>
  );
}

/** The words, and the files that came with them. */
function MessageText({ text: sent }: { text: string }) {
  const t = useTexts(transcriptTexts);
  const { text, paths } = attachedIn(sent);
  return (
    <>
      {text && <Folded lines={text.split("\n")}>{(lines) => lines.join("\n")}</Folded>}
      {paths.length > 0 && (
        <ul className="message-files" aria-label={t("attached")}>
          {paths.map((path) => (
            <li key={path} title={path}>
              <FileOutlined aria-hidden /> {path.split("/").at(-1)}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

export function IconButton({ label, icon, act }: { label: string; icon: ReactNode; act: () => void }) {
  return (
    <Button size="small" type="text" icon={icon} title={label} aria-label={label} onClick={act} />
  );
}

interface EditProps {
  text: string;
  send: (text: string) => void;
  cancel: () => void;
}

function EditForm({ text, send, cancel }: EditProps) {
  const t = useTexts(transcriptTexts);
  const [changed, setChanged] = useState(text);
  return (
    <InlineForm onCancel={cancel}>
      <form
        className="message-edit"
        onSubmit={(event) => {
          event.preventDefault();
          send(changed);
        }}
      >
        <Input.TextArea
          autoSize={{ minRows: 2, maxRows: 12 }}
          aria-label={t("edit_label")}
          value={changed}
          onChange={(event) => setChanged(event.target.value)}
        />
        <div className="message-edit-buttons">
          <Button onClick={cancel}>{t("cancel")}</Button>
          <Button type="primary" htmlType="submit" disabled={!changed.trim()}>
            {t("send")}
          </Button>
        </div>
      </form>
    </InlineForm>
  );
}
