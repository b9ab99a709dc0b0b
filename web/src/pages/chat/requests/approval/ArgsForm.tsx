import { Button, Flex, Input, Typography } from "antd";
import { useState } from "react";
import { InlineForm } from "@/components/forms/InlineForm";
import { editedArgs } from "@/pages/chat/requests/answer/answers";
import { requestTexts } from "@/pages/chat/requests/texts";
import { useTexts } from "@/i18n";
import type { JsonObject } from "@/stream/events";

interface Props {
  args: JsonObject;
  sending: boolean;
  onSend: (args: JsonObject) => void;
  onCancel: () => void;
}

/** Arguments to change before the call runs: texts as they are, all else as JSON. */
export function ArgsForm({ args, sending, onSend, onCancel }: Props) {
  const t = useTexts(requestTexts);
  const texts = Object.entries(args).every(([, value]) => typeof value === "string");
  const [fields, setFields] = useState<JsonObject>(args);
  const [json, setJson] = useState(() => JSON.stringify(args, null, 2));
  const wanted = texts ? fields : editedArgs(json);
  return (
    <InlineForm onCancel={onCancel}>
      {texts ? (
        Object.entries(fields).map(([name, value]) => (
          <label key={name}>
            <code>{name}</code>
            <Input.TextArea
              className="chat-code"
              autoSize={{ minRows: 1, maxRows: 10 }}
              value={String(value)}
              onChange={(event) => setFields({ ...fields, [name]: event.target.value })}
            />
          </label>
        ))
      ) : (
        <label>
          {t("edit_label")}
          <Input.TextArea
            className="chat-code"
            autoSize={{ minRows: 4, maxRows: 16 }}
            status={wanted ? "" : "error"}
            value={json}
            onChange={(event) => setJson(event.target.value)}
          />
        </label>
      )}
      {!wanted && <Typography.Text type="danger">{t("edit_invalid")}</Typography.Text>}
      <Flex gap={8} wrap className="chat-request-actions">
        <Button
          type="primary"
          disabled={!wanted}
          loading={sending}
          onClick={() => wanted && onSend(wanted)}
        >
          {t("edit_run")}
        </Button>
        <Button disabled={sending} onClick={onCancel}>
          {t("cancel")}
        </Button>
      </Flex>
    </InlineForm>
  );
}
