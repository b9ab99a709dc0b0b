/** How a run ended, how long it took and what it used. */
import { RedoOutlined } from "@ant-design/icons";
import { Button, Typography } from "antd";
import { Suspense } from "react";
import { lazyPart } from "@/pages/chat/lazyPart";
import { useSetting } from "@/pages/chat/transcript/setting";
import { IconButton } from "@/pages/chat/transcript/Message";
import { transcriptTexts } from "@/pages/chat/transcript/texts";
import type { EndItem, Run } from "@/stream/conversation";
import { useTexts } from "@/i18n";
import { formatCompact, formatDuration, formatMoney } from "@/i18n/format";

const FeedbackLine = lazyPart("FeedbackLine", () => import("@/pages/chat/transcript/feedback/FeedbackLine"));

const UsedMemories = lazyPart("UsedMemories", () => import("@/pages/chat/transcript/memories/UsedMemories"));

export function EndLine({ item, run }: { item: EndItem; run: Run | null }) {
  const t = useTexts(transcriptTexts);
  const { retry } = useSetting().actions;
  const { reason, token_usage: usage } = item.done;
  const used = usage ?? run?.spent?.tokens ?? {};
  const tokens = used.total_tokens ?? (used.input_tokens ?? 0) + (used.output_tokens ?? 0);
  const cost = formatMoney(run?.spent?.cost, run?.spent?.currency);
  const facts = [
    run && formatDuration(Math.max(0, item.at - run.startedAt) * 1000),
    tokens > 0 && t("tokens", { count: formatCompact(tokens) }),
    cost,
  ].filter(Boolean);
  const again = retry && run ? () => retry(run.messageId) : null;
  return (
    <>
      <div className="end-line">
        {reason !== "completed" && <strong>{t(`ended_${reason}`)}</strong>}
        <Typography.Text type="secondary" className="small">
          {facts.join(" · ")}
        </Typography.Text>
        {again && reason === "completed" && (
          <span className="row-actions">
            <IconButton label={t("again")} icon={<RedoOutlined />} act={again} />
          </span>
        )}
        {again && reason !== "completed" && (
          <Button size="small" icon={<RedoOutlined />} onClick={again}>
            {t("again")}
          </Button>
        )}
        {run && (
          <Suspense>
            <FeedbackLine run={run} />
          </Suspense>
        )}
      </div>
      {run && run.recalled.length > 0 && (
        <Suspense>
          <UsedMemories ids={run.recalled} />
        </Suspense>
      )}
    </>
  );
}
