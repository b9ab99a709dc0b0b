/** Takes the JSON other clients use, and says what it found before anything is added. */
import { Alert, App, Button, Input, Modal, Typography } from "antd";
import { useMemo, useState } from "react";
import type { Schemas } from "@/api/client";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { readPasted, type Pasted } from "@/pages/mcp/paste/pasted";
import { useServerActions } from "@/pages/mcp/queries";
import { texts } from "@/pages/mcp/texts";

type Create = Schemas["MCPServerCreate"];

export function PasteDialog({ close, fill }: { close: () => void; fill: (server: Create) => void }) {
  const t = useTexts(texts);
  const { message } = App.useApp();
  const [text, setText] = useState("");
  const { add } = useServerActions();
  const found = useMemo(() => read(text), [text]);
  // What was added stays added when one after it is refused.
  const [added, setAdded] = useState<readonly string[]>([]);
  const servers =
    found && "servers" in found ? found.servers.filter((each) => !added.includes(each.name)) : [];
  const addAll = async () => {
    for (const body of servers) {
      await add.mutateAsync({ body, scope: "user" });
      setAdded((names) => [...names, body.name]);
      void message.success(t("paste_done", { name: body.name }));
    }
    close();
  };
  const [only] = servers;
  return (
    <Modal
      open
      title={t("paste")}
      onCancel={close}
      footer={
        <>
          {servers.length === 1 && only && <Button onClick={() => fill(only)}>{t("paste_fill")}</Button>}
          <Button
            type="primary"
            disabled={servers.length === 0}
            loading={add.isPending}
            onClick={() => void addAll().catch(() => undefined)}
          >
            {t("paste_add")}
          </Button>
        </>
      }
    >
      <Typography.Paragraph type="secondary">{t("paste_hint")}</Typography.Paragraph>
      <Input.TextArea
        aria-label={t("paste")}
        autoFocus
        rows={10}
        spellCheck={false}
        style={{ fontFamily: "var(--da-font-family-code)" }}
        placeholder={'{"mcpServers": {"time": {"command": "uvx", "args": ["mcp-server-time"]}}}'}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {found && "bad" in found && (
        <Alert type="warning" showIcon style={{ marginTop: 8 }} title={t("paste_bad", { reason: found.bad })} />
      )}
      {found && "servers" in found && (
        <Alert
          type="info"
          showIcon
          style={{ marginTop: 8 }}
          title={t("paste_found", {
            count: servers.length,
            names: servers.map((each) => each.name).join(", "),
          })}
          description={
            found.ignored.length > 0 && t("paste_ignored", { names: found.ignored.join(", ") })
          }
        />
      )}
      {add.error && <ErrorNotice error={add.error} />}
    </Modal>
  );
}

function read(text: string): Pasted | { bad: string } | null {
  if (!text.trim()) return null;
  try {
    return readPasted(text);
  } catch (error) {
    return { bad: error instanceof Error ? error.message : String(error) };
  }
}
