/** May this be done? With everything a person needs to say yes, no, or yes but like this. */
import { Alert, Button, Flex, Popconfirm, Popover, Typography } from "antd";
import { useState } from "react";
import { actionOf, approve, approveAlways, reject, respond, type Action } from "@/pages/chat/requests/answer/answers";
import { ArgsForm } from "@/pages/chat/requests/approval/ArgsForm";
import { EffectView } from "@/pages/chat/requests/effects/EffectView";
import type { KindProps } from "@/pages/chat/requests/kinds/kinds";
import { ReasonForm } from "@/pages/chat/requests/approval/ReasonForm";
import { requestTexts } from "@/pages/chat/requests/texts";
import { whyAsked } from "@/pages/chat/requests/approval/why";
import { whyTexts } from "@/pages/chat/requests/approval/why.texts";
import { useTexts } from "@/i18n";

export function Approval({ request, sending, onAnswer, forGood }: KindProps) {
  const t = useTexts(requestTexts);
  const [doing, setDoing] = useState<"deciding" | "editing" | "refusing">("deciding");
  // A form that is cancelled gives the focus back to the button that opened it.
  const [left, setLeft] = useState<typeof doing | null>(null);
  const why = useTexts(whyTexts);
  const action = actionOf(request);
  const back = () => {
    setLeft(doing);
    setDoing("deciding");
  };
  return (
    <Flex vertical gap={8}>
      {action.mayHaveHappened && <Alert type="warning" showIcon title={t("may_have_happened")} />}
      {doing !== "editing" && <EffectView interruptId={request.interrupt_id} action={action} />}
      {action.reason && (
        <Typography.Text type="secondary">{whyAsked(action.reason, why)}</Typography.Text>
      )}
      {doing === "editing" && (
        <ArgsForm
          args={action.args}
          sending={sending}
          onCancel={back}
          onSend={(args) => onAnswer({ type: "edit", args })}
        />
      )}
      {doing === "refusing" && (
        <ReasonForm
          label={t("not_this_label")}
          sending={sending}
          onCancel={back}
          onSend={(text) => onAnswer(respond(text))}
        />
      )}
      {doing === "deciding" && (
        <Flex gap={8} wrap className="chat-request-actions">
          <Button type="primary" loading={sending} onClick={() => onAnswer(approve())}>
            {t("approve_once")}
          </Button>
          {forGood && <Always action={action} sending={sending} onAnswer={onAnswer} />}
          <Button autoFocus={left === "editing"} disabled={sending} onClick={() => setDoing("editing")}>
            {t("edit")}
          </Button>
          <Button autoFocus={left === "refusing"} disabled={sending} onClick={() => setDoing("refusing")}>
            {t("not_this")}
          </Button>
          <StopButton sending={sending} onStop={() => onAnswer(reject())} />
        </Flex>
      )}
    </Flex>
  );
}

interface AlwaysProps {
  action: Action;
  sending: boolean;
  onAnswer: KindProps["onAnswer"];
}

/** Shows the rule before it counts. */
function Always({ action, sending, onAnswer }: AlwaysProps) {
  const t = useTexts(requestTexts);
  if (action.saves.length === 0) return null;
  return (
    <Popover
      trigger="click"
      title={t("always_title")}
      content={
        <Flex vertical gap={8} style={{ maxWidth: 320 }}>
          {action.saves.map((rule) => (
            <code key={`${rule.tool} ${rule.resource}`} className="chat-anywhere">
              {rule.tool} {rule.resource}
            </code>
          ))}
          <Typography.Text type="secondary">{t("always_where")}</Typography.Text>
          <Button disabled={sending} onClick={() => onAnswer(approveAlways())}>
            {t("always_do")}
          </Button>
        </Flex>
      }
    >
      <Button disabled={sending}>{t("always")}</Button>
    </Popover>
  );
}

export function StopButton({ sending, onStop }: { sending: boolean; onStop: () => void }) {
  const t = useTexts(requestTexts);
  return (
    <Popconfirm
      title={t("stop_ask")}
      okText={t("stop")}
      cancelText={t("cancel")}
      onConfirm={onStop}
    >
      <Button danger disabled={sending}>
        {t("stop")}
      </Button>
    </Popconfirm>
  );
}
