import { Button, Flex, Input } from "antd";
import { useState } from "react";
import { InlineForm } from "@/components/forms/InlineForm";
import { requestTexts } from "@/pages/chat/requests/texts";
import { useTexts } from "@/i18n";

interface Props {
  label: string;
  sending: boolean;
  onSend: (text: string) => void;
  onCancel: () => void;
}

/** A few words to the agent. */
export function ReasonForm({ label, sending, onSend, onCancel }: Props) {
  const t = useTexts(requestTexts);
  const [text, setText] = useState("");
  return (
    <InlineForm onCancel={onCancel}>
      <label>
        {label}
        <Input.TextArea
          autoSize={{ minRows: 2, maxRows: 6 }}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <Flex gap={8} wrap className="chat-request-actions">
        <Button
          type="primary"
          disabled={!text.trim()}
          loading={sending}
          onClick={() => onSend(text)}
        >
          {t("tell")}
        </Button>
        <Button disabled={sending} onClick={onCancel}>
          {t("cancel")}
        </Button>
      </Flex>
    </InlineForm>
  );
}
