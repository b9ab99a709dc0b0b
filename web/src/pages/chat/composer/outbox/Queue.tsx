/** What was sent and has not begun: on its way, or waiting behind the run under way. */
import { ClockCircleOutlined, SendOutlined } from "@ant-design/icons";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Button, Flex, Typography } from "antd";
import { api, dataOf, type Schemas } from "@/api/client";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useDrafts } from "@/pages/chat/composer/outbox/drafts";
import { useOutbox, useOutgoing } from "@/pages/chat/composer/outbox/outbox";
import { composerTexts } from "@/pages/chat/composer/texts";
import { keys, useOpenRuns } from "@/pages/chat/session/queries";
import { useTexts } from "@/i18n";

interface Props {
  sessionId: string;
  canWithdraw: boolean;
}

export function Queue({ sessionId, canWithdraw }: Props) {
  const t = useTexts(composerTexts);
  const queries = useQueryClient();
  const outgoing = useOutgoing(sessionId);
  const runs = useOpenRuns(sessionId).data ?? [];
  const queued = runs.filter((run) => run.status === "queued" && run.queued_message);
  const withdraw = useMutation({
    mutationFn: (run: Schemas["RunInfo"]) =>
      dataOf(api.POST("/api/v1/runs/{run_id}/cancel", { params: { path: { run_id: run.run_id } } })),
    onSuccess: (_done, run) => {
      const whole = useOutbox.getState().queued[run.message_id] ?? run.queued_message ?? "";
      useDrafts.getState().giveBack(sessionId, whole);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: keys.openRuns(sessionId) }),
  });
  if (outgoing.length + queued.length === 0 && !withdraw.error) return null;
  return (
    <div className="chat-dock" role="status">
      {withdraw.error && <ErrorNotice error={withdraw.error} />}
      {queued.map((run) => (
        <Flex key={run.run_id} align="center" gap={8}>
          <ClockCircleOutlined aria-hidden />
          <Typography.Text type="secondary">{t("queued")}</Typography.Text>
          <span className="chat-one-line">{run.queued_message}</span>
          {canWithdraw && (
            <Button
              size="small"
              loading={withdraw.isPending && withdraw.variables?.run_id === run.run_id}
              onClick={() => withdraw.mutate(run)}
            >
              {t("withdraw")}
            </Button>
          )}
        </Flex>
      ))}
      {outgoing.map((each) => (
        <Flex key={each.id} align="center" gap={8}>
          <SendOutlined aria-hidden />
          <Typography.Text type="secondary">{t("sending")}</Typography.Text>
          <span className="chat-one-line">{each.text}</span>
        </Flex>
      ))}
    </div>
  );
}
