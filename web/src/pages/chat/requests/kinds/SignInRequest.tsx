/** A server wants the person to sign in; when they have, the run goes on by itself. */
import { Button, Flex, Typography } from "antd";
import { actionOf } from "@/pages/chat/requests/answer/answers";
import { StopButton } from "@/pages/chat/requests/approval/Approval";
import type { KindProps } from "@/pages/chat/requests/kinds/kinds";
import { requestTexts } from "@/pages/chat/requests/texts";
import { useTexts } from "@/i18n";

export function SignInRequest({ request, sending, onAnswer, mine }: KindProps) {
  const t = useTexts(requestTexts);
  const { args } = actionOf(request);
  const url = typeof args.url === "string" ? args.url : "";
  const scopes = typeof args.scopes === "string" ? args.scopes : "";
  if (!mine) return <Typography.Text>{t("sign_in_theirs")}</Typography.Text>;
  return (
    <Flex vertical gap={8}>
      <Typography.Text>{request.context}</Typography.Text>
      {scopes && <code className="chat-anywhere">{scopes}</code>}
      <Flex gap={8} wrap className="chat-request-actions">
        {url && (
          <Button type="primary" href={url} target="_blank" rel="noopener noreferrer">
            {t("sign_in_open")}
          </Button>
        )}
        <Button loading={sending} onClick={() => onAnswer({ type: "answer", answer: "signed in" })}>
          {t("sign_in_done")}
        </Button>
        <Button disabled={sending} onClick={() => onAnswer({ type: "skip" })}>
          {t("sign_in_skip")}
        </Button>
        <StopButton sending={sending} onStop={() => onAnswer({ type: "reject" })} />
      </Flex>
    </Flex>
  );
}
