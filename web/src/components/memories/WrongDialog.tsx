/** Says that a memory is wrong, and what is right instead. */
import { App, Form, Input, Typography } from "antd";
import { useMemoryActions } from "@/api/learned/memories";
import { FormDialog } from "@/components/forms/FormDialog";
import { memoryTexts } from "@/components/memories/texts";
import { useTexts } from "@/i18n";

interface Props {
  id: string;
  content: string;
  onDone?: (replacementId: string | null) => void;
  close: () => void;
}

const CHARS_MAX = 4_000;

export function WrongDialog({ id, content, onDone, close }: Props) {
  const t = useTexts(memoryTexts);
  const { message } = App.useApp();
  const { markWrong } = useMemoryActions();
  return (
    <FormDialog<{ correction?: string }>
      title={t("wrong")}
      okText={t("wrong_send")}
      submit={async ({ correction = "" }) => {
        const { replacement } = await markWrong.mutateAsync({ id, correction: correction.trim() });
        void message.success(replacement ? t("wrong_replaced", { text: replacement.content }) : t("wrong_done"));
        onDone?.(replacement?.id ?? null);
      }}
      close={close}
    >
      <Typography.Paragraph style={{ overflowWrap: "break-word" }}>{content}</Typography.Paragraph>
      <Form.Item name="correction" label={t("wrong_ask")} extra={t("wrong_hint")}>
        <Input.TextArea autoFocus autoSize={{ minRows: 2, maxRows: 8 }} maxLength={CHARS_MAX} />
      </Form.Item>
    </FormDialog>
  );
}
