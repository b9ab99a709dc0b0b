/** What was asked of a person, and what came of it, on one line. The form itself is docked below. */
import { CheckCircleOutlined, CloseCircleOutlined, QuestionCircleOutlined } from "@ant-design/icons";
import { Typography } from "antd";
import { useNames } from "@/api/members";
import { Markdown } from "@/components/markdown/Markdown";
import { answerTextOf, isPatternOffer, isPlan, isPlanApproval, patternText } from "@/pages/chat/requests/plan";
import { requestTexts } from "@/pages/chat/requests/texts";
import { useAction } from "@/pages/chat/transcript/calls/useAction";
import { useSetting } from "@/pages/chat/transcript/setting";
import { transcriptTexts, type TranscriptKey } from "@/pages/chat/transcript/texts";
import type { RequestItem } from "@/stream/conversation";
import type { EventOf, JsonObject } from "@/stream/events";
import { useTexts } from "@/i18n";
import { formatTime } from "@/i18n/format";

const NO = new Set(["respond", "reject", "stop", "skip", "superseded"]);

export function RequestLine({ item }: { item: RequestItem }) {
  const { question } = item.request;
  return (
    <>
      <Line item={item} />
      {/* While it waits, the form below shows it. */}
      {/* A work plan is a card of its own. */}
      {item.answer && isWritten(question) && !isPlanApproval(item.request) && (
        <div className="request-written">
          <Markdown text={isPatternOffer(item.request) ? patternText(question) : question} />
        </div>
      )}
    </>
  );
}

/** More than a line: a plan, or a question that explains itself. */
const isWritten = (question: string | null): question is string => question?.includes("\n") ?? false;

function Line({ item: { request, answer } }: { item: RequestItem }) {
  const t = useTexts(transcriptTexts);
  const { canAnswer } = useSetting();
  const { action } = useAction();
  const asked = useTexts(requestTexts);
  const nameOf = useNames();
  const written = isWritten(request.question) ? request.question : null;
  const what = written
    ? isPatternOffer(request)
      ? asked("pattern")
      : t(isPlan(request) || isPlanApproval(request) ? "proposed_plan" : "asked_at_length")
    : (request.question ??
      request.action_requests
        .map((each) => action({ tool: String(each.name ?? ""), args: (each.args ?? {}) as JsonObject }))
        .join(", "));
  if (!answer) {
    return (
      <div className="line">
        <QuestionCircleOutlined aria-hidden />
        <span className="line-argument">
          {canAnswer ? t("waits_for_you") : t("waits")} · {what}
        </span>
      </div>
    );
  }
  const kind = answer.superseded ? "superseded" : String(answer.decision.type ?? "");
  const key = `answered_${kind}`;
  const plain = t(key in transcriptTexts.en ? (key as TranscriptKey) : "answered_other");
  const said = answer.decision.scope === "always" ? t("answered_always", { said: plain }) : plain;
  const words = wordsOf(answer).map((each) => answerTextOf(request, each, asked));
  const parts = [what, words.join(", ")].filter(Boolean);
  return (
    <div className="line">
      {NO.has(kind) ? <CloseCircleOutlined aria-hidden /> : <CheckCircleOutlined aria-hidden />}
      <span className="line-verb">{said}</span>
      <span className="line-argument" title={parts.join(" · ")}>
        {parts.join(" · ")}
      </span>
      <Typography.Text type="secondary" className="small line-end">
        {answer.by ? `${t("answered_by", { who: nameOf(answer.by) })} · ` : ""}
        {formatTime(answer.timestamp)}
      </Typography.Text>
    </div>
  );
}

/** What the person wrote or chose. */
function wordsOf({ decision }: EventOf<"hitl_answer">): string[] {
  const given = decision.message ?? decision.answer ?? decision.reason ?? "";
  return (Array.isArray(given) ? given : [given]).map(String);
}
