/** The next call does not fit into a budget: who may raises it, anybody may stop. */
import { Button, Flex, Typography } from "antd";
import { isAdmin, useMe } from "@/api/me";
import { approve, approveAlways, reject } from "@/pages/chat/requests/answer/answers";
import { StopButton } from "@/pages/chat/requests/approval/Approval";
import type { KindProps } from "@/pages/chat/requests/kinds/kinds";
import { requestTexts } from "@/pages/chat/requests/texts";
import { useTexts } from "@/i18n";

export function Budget({ request, sending, onAnswer }: KindProps) {
  const t = useTexts(requestTexts);
  const mayRaise = isAdmin(useMe());
  return (
    <Flex vertical gap={8}>
      <Typography.Text>{request.question}</Typography.Text>
      <Typography.Text type="secondary">{request.context}</Typography.Text>
      {!mayRaise && <Typography.Text>{t("budget_who")}</Typography.Text>}
      <Flex gap={8} wrap className="chat-request-actions">
        {mayRaise && (
          <>
            <Button type="primary" loading={sending} onClick={() => onAnswer(approve())}>
              {t("budget_approve")}
            </Button>
            <Button disabled={sending} onClick={() => onAnswer(approveAlways())}>
              {t("budget_always")}
            </Button>
          </>
        )}
        <StopButton sending={sending} onStop={() => onAnswer(reject())} />
      </Flex>
    </Flex>
  );
}
