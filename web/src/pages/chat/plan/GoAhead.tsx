/** Answers the question whether the plan is carried out, beside the plan; other answers are in the question. */
import { CheckOutlined } from "@ant-design/icons";
import { App, Button } from "antd";
import { messageOf } from "@/api/errors";
import { goAheadOf } from "@/pages/chat/plan/approval";
import { answer, type HumanRequest } from "@/pages/chat/requests/answer/answers";
import { isTooLate, useAnswer } from "@/pages/chat/requests/answer/useAnswer";
import { optionTextOf } from "@/pages/chat/requests/plan";
import { requestTexts } from "@/pages/chat/requests/texts";
import { useTexts } from "@/i18n";

export function GoAhead({ request, sessionId }: { request: HumanRequest; sessionId: string }) {
  const t = useTexts(requestTexts);
  const { message } = App.useApp();
  const sending = useAnswer(request.interrupt_id, sessionId);
  const option = goAheadOf(request);
  if (option === null) return null;
  const decision = answer([option.label], "", request.allow_multiple);
  return (
    <Button
      size="small"
      type="primary"
      icon={<CheckOutlined />}
      loading={sending.isPending}
      disabled={sending.isSuccess || isTooLate(sending.error)}
      onClick={() =>
        decision &&
        sending.mutate(decision, { onError: (error) => void message.error(isTooLate(error) ? t("too_late") : messageOf(error)) })
      }
    >
      {optionTextOf(request, option, t).label}
    </Button>
  );
}
