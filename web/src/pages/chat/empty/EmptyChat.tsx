/** A chat without a word in it: what this is, and two ways to begin. */
import { Button, Flex, Typography } from "antd";
import { Link } from "react-router";
import { NoModel } from "@/pages/chat/empty/NoModel";
import { useSampleThere } from "@/pages/chat/empty/sample";
import { emptyTexts } from "@/pages/chat/empty/texts";
import { useTexts } from "@/i18n";

interface Props {
  writes: boolean;
  sending: boolean;
  onAsk: (question: string) => void;
}

export function EmptyChat({ writes, sending, onAsk }: Props) {
  const t = useTexts(emptyTexts);
  const sample = useSampleThere();
  if (!writes) return <Typography.Text type="secondary">{t("session_empty")}</Typography.Text>;
  return (
    <Flex vertical gap={16} className="chat-empty">
      <div>
        <Typography.Title level={2} style={{ marginTop: 0 }}>
          {t("title")}
        </Typography.Title>
        <Typography.Paragraph type="secondary" style={{ marginBottom: 0 }}>
          {t("what")}
        </Typography.Paragraph>
      </div>
      <NoModel />
      <Flex gap={16} wrap>
        {sample && (
          <section className="chat-empty-card">
            <p className="chat-secondary">{t("sample_hint")}</p>
            <p>{t("sample_question")}</p>
            <Button type="primary" loading={sending} onClick={() => onAsk(t("sample_question"))}>
              {t("sample")}
            </Button>
          </section>
        )}
        <section className="chat-empty-card">
          <p>
            <strong>{t("own")}</strong>
          </p>
          <p className="chat-secondary">{t("own_hint")}</p>
          <Link to="/data">{t("own_do")}</Link>
        </section>
      </Flex>
    </Flex>
  );
}
