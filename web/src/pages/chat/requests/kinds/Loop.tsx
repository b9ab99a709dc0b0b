/** The same call again and again: a person says how it goes on. */
import { Button, Flex, Typography } from "antd";
import { useState } from "react";
import { actionOf } from "@/pages/chat/requests/answer/answers";
import { EffectView } from "@/pages/chat/requests/effects/EffectView";
import type { KindProps } from "@/pages/chat/requests/kinds/kinds";
import { ReasonForm } from "@/pages/chat/requests/approval/ReasonForm";
import { requestTexts } from "@/pages/chat/requests/texts";
import { whyAsked } from "@/pages/chat/requests/approval/why";
import { whyTexts } from "@/pages/chat/requests/approval/why.texts";
import { useTexts } from "@/i18n";

export function Loop({ request, sending, onAnswer }: KindProps) {
  const t = useTexts(requestTexts);
  const [correcting, setCorrecting] = useState(false);
  const why = useTexts(whyTexts);
  const action = actionOf(request);
  return (
    <Flex vertical gap={8}>
      <Typography.Text>{whyAsked(action.reason, why)}</Typography.Text>
      <EffectView interruptId={request.interrupt_id} action={action} />
      {correcting ? (
        <ReasonForm
          label={t("loop_correct")}
          sending={sending}
          onCancel={() => setCorrecting(false)}
          onSend={(message) => onAnswer({ type: "correct", message: message.trim() })}
        />
      ) : (
        <Flex gap={8} wrap className="chat-request-actions">
          <Button type="primary" disabled={sending} onClick={() => setCorrecting(true)}>
            {t("loop_correct")}
          </Button>
          <Button disabled={sending} onClick={() => onAnswer({ type: "skip" })}>
            {t("loop_skip")}
          </Button>
          <Button disabled={sending} onClick={() => onAnswer({ type: "continue" })}>
            {t("loop_continue")}
          </Button>
          <Button danger disabled={sending} onClick={() => onAnswer({ type: "stop" })}>
            {t("loop_stop")}
          </Button>
        </Flex>
      )}
    </Flex>
  );
}
