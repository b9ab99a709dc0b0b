/** A person changes a plan, also while it is carried out. What was typed stays until it is applied or discarded. */
import { PlusOutlined } from "@ant-design/icons";
import { Alert, App, Button, Flex, Modal, Typography } from "antd";
import { useState } from "react";
import { useUnsaved } from "@/app/state/unsaved";
import { UnsavedNote } from "@/components/forms/UnsavedNote";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { emptyDraft, lostOf, rowsOf, withAdded, type PlanDraft } from "@/pages/chat/plan/edit/draft";
import { editsOf } from "@/pages/chat/plan/edit/edits";
import { LostChanges } from "@/pages/chat/plan/edit/LostChanges";
import { StepList } from "@/pages/chat/plan/edit/StepList";
import { planEditTexts } from "@/pages/chat/plan/edit/texts";
import { newerPlan, useSavePlan } from "@/pages/chat/plan/edit/useSavePlan";
import { useTexts } from "@/i18n";
import type { Plan } from "@/stream/conversation";
import { isOpen } from "@/stream/plans";
import "@/pages/chat/plan/edit/edit.css";

interface Props {
  sessionId: string;
  /** As the stream knows it: it goes on while the dialog is open. */
  plan: Plan;
  /** Whether its run is under way. */
  running: boolean;
  onClose: () => void;
}

export function PlanDialog({ sessionId, plan: streamed, running, onClose }: Props) {
  const t = useTexts(planEditTexts);
  const { message } = App.useApp();
  const { value, isKept, change } = useUnsaved<PlanDraft>(`plan/${sessionId}/${streamed.runId}`);
  const [refused, setRefused] = useState<Plan | null>(null);
  const save = useSavePlan(sessionId);
  // The refusal may know of a version that the stream has not brought yet.
  const plan = refused && (refused.version ?? 0) > (streamed.version ?? 0) ? refused : streamed;
  const open = running && isOpen(plan);
  const draft = value ?? emptyDraft(plan);
  const rows = rowsOf(plan, draft);
  const edits = editsOf(plan, draft);
  const lost = lostOf(plan, draft);
  const version = plan.version ?? 0;
  const isNewer = value !== null && version > draft.version;
  const hasConflict = rows.some((row) => Object.keys(row.theirs).length > 0);
  const apply = () =>
    save.mutate(
      { plan_id: plan.runId, version, edits },
      {
        onSuccess: () => {
          change(null);
          void message.success(t("saved"));
          onClose();
        },
        onError: (error) => setRefused(newerPlan(error, plan)),
      },
    );
  return (
    <Modal
      open
      width={760}
      title={t("title")}
      mask={{ closable: false }}
      onCancel={onClose}
      footer={
        <Flex gap={8} justify="end" wrap>
          <Button onClick={onClose}>{t("close")}</Button>
          <Button type="primary" disabled={edits.length === 0 || !open} loading={save.isPending} onClick={apply}>
            {isNewer || refused ? t("save_again", { version }) : t("save")}
          </Button>
        </Flex>
      }
    >
      <Flex vertical gap={12} className="plan-edit">
        <Typography.Text type="secondary">{t("hint")}</Typography.Text>
        {!open && <Alert type="warning" showIcon role="alert" title={t("over")} />}
        {refused && open && <Alert type="warning" showIcon role="alert" title={t("conflict", { version })} />}
        {!refused && hasConflict && <Alert type="warning" showIcon role="status" title={t("changed", { version })} />}
        {save.error && !refused && <ErrorNotice error={save.error} />}
        <StepList plan={plan} draft={draft} rows={rows} change={change} />
        <Button
          icon={<PlusOutlined />}
          disabled={!open}
          style={{ alignSelf: "start" }}
          onClick={() => change(withAdded(plan, draft))}
        >
          {t("add")}
        </Button>
        <LostChanges lost={lost} />
        {(edits.length > 0 || lost.length > 0) && <UnsavedNote isKept={isKept} isStale={false} discard={() => change(null)} />}
      </Flex>
    </Modal>
  );
}
