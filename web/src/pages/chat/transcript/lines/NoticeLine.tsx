/** A notice: a warning, a retry, or an error with its next step. */
import { Alert, Button, Typography } from "antd";
import { useState } from "react";
import { ApiError, messageOf, nextStep } from "@/api/errors";
import { useNames } from "@/api/members";
import { Markdown } from "@/components/markdown/Markdown";
import { transcriptTexts, type TranscriptKey } from "@/pages/chat/transcript/texts";
import type { NoticeItem } from "@/stream/conversation";
import type { EventOf } from "@/stream/events";
import { useTexts } from "@/i18n";
import { useDataText } from "@/i18n/dataTexts";
import { formatNumber } from "@/i18n/format";

export function NoticeLine({ item: { event } }: { item: NoticeItem }) {
  const t = useTexts(transcriptTexts);
  const nameOf = useNames();
  switch (event.event_type) {
    case "warning":
      return <Alert type="warning" showIcon title={event.message} />;
    case "error":
      return <ErrorLine event={event} />;
    case "retry":
      return (
        <Typography.Text type="secondary" className="small" title={event.reason}>
          {t("retrying", { attempt: event.attempt, seconds: formatNumber(Math.round(event.delay_s)) })}
          {event.reason && ` · ${event.reason}`}
        </Typography.Text>
      );
    case "mode_changed":
      return (
        <div className="rule">
          <span>
            {t(`mode_${event.mode}`)}
            {event.by && ` · ${t("answered_by", { who: nameOf(event.by) })}`}
          </span>
        </div>
      );
    case "context_compressed":
      return <Compressed event={event} />;
    case "resumed":
      return (
        <div className="rule">
          <span>{t("resumed")}</span>
        </div>
      );
    default:
      return event satisfies never;
  }
}

function ErrorLine({ event: { code, error, recoverable } }: { event: EventOf<"error"> }) {
  const t = useTexts(transcriptTexts);
  useDataText(); // drawn again once the sentences of `messageOf` are there
  const own = `try_${code}`;
  const next =
    own in transcriptTexts.en
      ? t(own as TranscriptKey)
      : code === "INTERNAL"
        ? null
        : nextStep(new ApiError(code, error, 500));
  return (
    <Alert
      type="error"
      showIcon
      title={messageOf(new ApiError(code, error, 500))}
      description={next ?? (recoverable ? t("try_again") : t("try_other"))}
    />
  );
}

function Compressed({ event }: { event: EventOf<"context_compressed"> }) {
  const t = useTexts(transcriptTexts);
  const [open, setOpen] = useState(false);
  const counts = {
    before: formatNumber(event.original_message_count),
    after: formatNumber(event.final_message_count),
  };
  return (
    <div role="status">
      <div className="rule">
        <span>
          {t("compressed", counts)}
          {event.summary && (
            <Button type="link" size="small" aria-expanded={open} onClick={() => setOpen(!open)}>
              {t("summary")}
            </Button>
          )}
        </span>
      </div>
      {open && event.summary && <Markdown text={event.summary} />}
    </div>
  );
}
