/** Where a person writes. What is written is kept until the server has it. */
import { ArrowUpOutlined, BorderOutlined, PaperClipOutlined } from "@ant-design/icons";
import { Button, Flex, Input, Tooltip, type GetRef } from "antd";
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import type { Command } from "@/app/palette/commands";
import { withFiles } from "@/pages/chat/session/attached";
import { useDrafts } from "@/pages/chat/composer/outbox/drafts";
import { MissingMentions } from "@/pages/chat/composer/MissingMentions";
import { SLASH_LIST_ID, SlashMenu, useSlashCommands } from "@/pages/chat/composer/SlashMenu";
import { composerTexts } from "@/pages/chat/composer/texts";
import { UploadChips } from "@/pages/chat/composer/uploads/UploadChips";
import { useUploads } from "@/pages/chat/composer/uploads/uploads";
import { useDropped } from "@/pages/chat/composer/uploads/useDropped";
import { useTexts } from "@/i18n";

interface Props {
  draftKey: string;
  /** Whom the message goes to, and where. */
  assistantId: string | null;
  projectId: string | null;
  running: boolean;
  /** Takes a message; false when it cannot be sent now, and the text stays. */
  onSend: (text: string) => boolean;
  onStop: () => void;
  tools: ReactNode;
}

export function Composer(props: Props) {
  const { draftKey, assistantId, projectId, running, onSend, onStop, tools } = props;
  const t = useTexts(composerTexts);
  const text = useDrafts((state) => state.drafts[draftKey] ?? "");
  const write = useDrafts((state) => state.write);
  const { uploads, add, again, remove, clear } = useUploads();
  const [selected, setSelected] = useState(0);
  const [closed, setClosed] = useState("");
  // A message that is sent at once is also checked for unknown names.
  const [sent, setSent] = useState("");
  const fits = useSlashCommands(text);
  const commands = closed === text ? [] : fits;
  const box = useRef<HTMLDivElement>(null);
  const over = useDropped(box, add);
  const picker = useRef<HTMLInputElement>(null);
  const area = useRef<GetRef<typeof Input.TextArea>>(null);
  useEffect(() => {
    // On a touch screen the keyboard would cover what is to be read first.
    if (matchMedia("(hover: hover)").matches) area.current?.focus({ preventScroll: true });
  }, [draftKey]);
  useEffect(() => setSelected(0), [text]);

  const uploading = uploads.some((each) => each.state.kind === "uploading");
  const paths = uploads.flatMap(({ state }) => (state.kind === "there" ? [state.path] : []));
  const empty = !text.trim() && paths.length === 0;
  const send = () => {
    if (empty || uploading) return;
    if (!onSend(withFiles(text, paths))) return;
    setSent(text);
    write(draftKey, "");
    clear();
  };
  const run = (command: Command) => {
    write(draftKey, "");
    command.run();
  };
  const pressed = (event: KeyboardEvent) => {
    // While letters are composed into characters, Enter and the arrows belong to that.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    const command = commands[selected];
    if (command) {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step) setSelected((selected + step + commands.length) % commands.length);
      else if (event.key === "Enter" || event.key === "Tab") run(command);
      else if (event.key === "Escape") setClosed(text);
      else return;
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    if (event.key === "Enter" && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      send();
    } else if (event.key === "Escape" && running) {
      onStop();
    }
  };
  return (
    <div ref={box} className={over ? "chat-composer chat-composer-over" : "chat-composer"}>
      {commands.length > 0 && <SlashMenu commands={commands} selected={selected} onRun={run} />}
      {over && <p className="chat-secondary">{t("drop")}</p>}
      <UploadChips uploads={uploads} onAgain={again} onRemove={remove} />
      <Input.TextArea
        ref={area}
        aria-label={t("label")}
        aria-controls={commands.length ? SLASH_LIST_ID : undefined}
        aria-activedescendant={commands.length ? `${SLASH_LIST_ID}-${selected}` : undefined}
        autoSize={{ minRows: 1, maxRows: 10 }}
        variant="borderless"
        placeholder={running ? t("placeholder_queue") : t("placeholder")}
        value={text}
        onChange={(event) => {
          setSent("");
          write(draftKey, event.target.value);
        }}
        onKeyDown={pressed}
        onPaste={(event) => {
          if (event.clipboardData.files.length === 0) return;
          event.preventDefault();
          add(event.clipboardData.files);
        }}
      />
      <MissingMentions
        text={text || sent}
        assistantId={assistantId}
        projectId={projectId}
        uploaded={paths.length}
      />
      <Flex align="center" gap={6} wrap className="chat-composer-tools">
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          onChange={(event) => {
            add(event.target.files ?? []);
            event.target.value = "";
          }}
        />
        <Tooltip title={t("attach")}>
          <Button
            type="text"
            icon={<PaperClipOutlined />}
            aria-label={t("attach")}
            onClick={() => picker.current?.click()}
          />
        </Tooltip>
        {tools}
        <span style={{ flex: 1 }} />
        {running && (
          <Button danger icon={<BorderOutlined />} aria-label={t("stop")} onClick={onStop}>
            <span className="chat-wide-only">{t("stop")}</span>
          </Button>
        )}
        {(!running || !empty) && (
          <Tooltip title={uploading ? t("cannot_send_files") : undefined}>
            <Button
              type="primary"
              icon={<ArrowUpOutlined />}
              aria-label={running ? t("queue") : t("send")}
              disabled={empty || uploading}
              onClick={send}
            />
          </Tooltip>
        )}
      </Flex>
    </div>
  );
}
