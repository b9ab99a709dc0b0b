/** What should have been different, in a person's words. */
import { Button, Flex, Input } from "antd";
import { useState } from "react";
import { InlineForm } from "@/components/forms/InlineForm";
import { feedbackTexts } from "@/pages/chat/transcript/feedback/texts";
import { useTexts } from "@/i18n";

const CHARS_MAX = 4_000;

interface Props {
  initial: string;
  send: (text: string) => void;
  cancel: () => void;
}

export function CorrectionForm({ initial, send, cancel }: Props) {
  const t = useTexts(feedbackTexts);
  const [text, setText] = useState(initial);
  return (
    <InlineForm onCancel={cancel}>
      <Input.TextArea
        aria-label={t("correction")}
        placeholder={t("correction")}
        autoSize={{ minRows: 2, maxRows: 8 }}
        maxLength={CHARS_MAX}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Flex gap={8}>
        <Button size="small" type="primary" disabled={text.trim() === initial} onClick={() => send(text.trim())}>
          {t("send")}
        </Button>
        <Button size="small" onClick={cancel}>
          {t("cancel")}
        </Button>
      </Flex>
    </InlineForm>
  );
}
