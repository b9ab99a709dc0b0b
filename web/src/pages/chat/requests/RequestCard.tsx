/** One thing that waits for a person. */
import { QuestionCircleFilled } from "@ant-design/icons";
import { Flex, Tag, Typography } from "antd";
import { useMe } from "@/api/me";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { actionOf, type HumanRequest } from "@/pages/chat/requests/answer/answers";
import { Approval } from "@/pages/chat/requests/approval/Approval";
import { Budget } from "@/pages/chat/requests/kinds/Budget";
import { remaining, useNow } from "@/pages/chat/requests/answer/countdown";
import type { KindProps } from "@/pages/chat/requests/kinds/kinds";
import { Loop } from "@/pages/chat/requests/kinds/Loop";
import { Question } from "@/pages/chat/requests/kinds/Question";
import { ServerForm } from "@/pages/chat/requests/kinds/ServerForm";
import { SignInRequest } from "@/pages/chat/requests/kinds/SignInRequest";
import { requestTexts } from "@/pages/chat/requests/texts";
import { titleOf } from "@/pages/chat/requests/title";
import { isTooLate, useAnswer } from "@/pages/chat/requests/answer/useAnswer";
import { REQUEST_CLASS, useFocusAfterAnswer } from "@/pages/chat/requests/answer/useFocusAfterAnswer";
import { useTexts } from "@/i18n";

interface Props {
  request: HumanRequest;
  sessionId: string;
  deadline: string | null;
  canAnswer: boolean;
  mine: boolean;
  forGood: boolean;
  /** "1 of 2" where several wait. */
  place: string | null;
}

export function RequestCard({ request, sessionId, deadline, canAnswer, mine, forGood, place }: Props) {
  const t = useTexts(requestTexts);
  const tenantId = useMe().tenant_id;
  const answer = useAnswer(request.interrupt_id, sessionId);
  const late = isTooLate(answer.error);
  // Answered means: until the stream says so and takes this away.
  const sending = answer.isPending || answer.isSuccess || late;
  const passFocusOn = useFocusAfterAnswer();
  const onAnswer = (decision: object) => {
    passFocusOn();
    answer.mutate({ ...decision });
  };
  const props = { request, sending, mine, forGood, onAnswer };
  return (
    <section className={`chat-dock ${REQUEST_CLASS}`} aria-label={t("dock")} tabIndex={-1}>
      <Flex align="baseline" gap={8} wrap className="chat-request-head">
        <QuestionCircleFilled className="chat-request-icon" aria-hidden />
        <Typography.Title level={2} className="chat-request-title">
          {titleOf(request, tenantId, t)}
        </Typography.Title>
        {typeof request.step_number === "number" && <Tag>{t("step_asks", { number: request.step_number })}</Tag>}
        {place && <Typography.Text type="secondary">{place}</Typography.Text>}
        {deadline && <Countdown deadline={deadline} required={request.required} />}
      </Flex>
      <div className="chat-request-body">
        {canAnswer ? kindOf(props) : <ReadOnly {...props} />}
        {late && <Typography.Text role="status">{t("too_late")}</Typography.Text>}
        {answer.error && !late && <ErrorNotice error={answer.error} />}
      </div>
    </section>
  );
}

function kindOf(props: KindProps) {
  const { kind } = props.request;
  switch (kind) {
    case "approval":
      return <Approval {...props} />;
    case "clarification":
    case "decision":
      return <Question {...props} />;
    case "doom_loop":
      return <Loop {...props} />;
    case "budget":
      return <Budget {...props} />;
    case "elicitation":
      return <ServerForm {...props} />;
    case "oauth":
      return <SignInRequest {...props} />;
    default:
      return kind satisfies never;
  }
}

function ReadOnly({ request }: { request: HumanRequest }) {
  const t = useTexts(requestTexts);
  return (
    <>
      <p className="chat-anywhere">{request.question ?? actionOf(request).description}</p>
      <Typography.Text type="secondary">{t("read_only")}</Typography.Text>
    </>
  );
}

const NEAR_MS = 10 * 60_000;

function Countdown({ deadline, required }: { deadline: string; required: boolean }) {
  const t = useTexts(requestTexts);
  const now = useNow(1000);
  const left = remaining(deadline, now);
  const near = new Date(deadline).getTime() - now < NEAR_MS;
  return (
    <Typography.Text type={near ? "warning" : "secondary"} className="chat-countdown">
      {left ? t("time_left", { time: left }) : t("time_over")},{" "}
      {required ? t("when_over_no") : t("when_over_default")}
    </Typography.Text>
  );
}
