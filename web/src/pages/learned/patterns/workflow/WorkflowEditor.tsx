/** The file of a workflow before it is stored: checked while it is written, with what it would change. */
import { App, Button, Flex, Typography } from "antd";
import { NumberedText } from "@/components/code/NumberedText";
import { DiffView } from "@/components/diff/DiffView";
import { UnsavedNote } from "@/components/forms/UnsavedNote";
import { useSettled } from "@/components/forms/useSettled";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { newerPattern } from "@/pages/learned/patterns/queries";
import { texts } from "@/pages/learned/patterns/texts";
import { Outline } from "@/pages/learned/patterns/workflow/Outline";
import { useWorkflowActions, useWorkflowCheck } from "@/pages/learned/patterns/workflow/queries";

interface Props {
  patternId: string;
  text: string;
  isKept: boolean;
  change: (next: string | null | ((now: string | null) => string | null)) => void;
}

export function WorkflowEditor({ patternId, text, isKept, change }: Props) {
  const t = useTexts(texts);
  const { message } = App.useApp();
  const settled = useSettled(text, 400);
  const checked = useWorkflowCheck(patternId, settled);
  const { store } = useWorkflowActions(patternId);
  // What was found is of the text that is there, and not of the one before.
  const draft = settled === text && !checked.isPlaceholderData && !checked.error ? checked.data : undefined;
  const send = () =>
    draft &&
    store
      .mutateAsync({ text, version: draft.version })
      .then(() => {
        change((now) => (now === text ? null : now));
        void message.success(t("workflow_stored"));
      })
      .catch(() => undefined);
  return (
    <Flex vertical gap={12} style={{ marginBottom: 24 }}>
      <Typography.Text type="secondary">{t("editor_hint", { place: "{{name}}" })}</Typography.Text>
      <NumberedText label={t("file")} value={text} change={(typed) => change(typed)} beside={t("check")}>
        {checked.error ? <ErrorNotice error={checked.error} /> : checked.data && <Outline workflow={checked.data} />}
      </NumberedText>
      {draft && (
        <section aria-label={t("diff")}>
          <Typography.Title level={3} style={{ fontSize: 14 }}>
            {t("diff")}
          </Typography.Title>
          {draft.diff ? <DiffView diff={draft.diff} /> : <Typography.Text type="secondary">{t("diff_none")}</Typography.Text>}
        </section>
      )}
      {store.error &&
        (newerPattern(store.error) ? (
          <Typography.Text type="warning" role="alert">
            {t("workflow_newer")}
          </Typography.Text>
        ) : (
          <ErrorNotice error={store.error} />
        ))}
      <Flex gap={8} align="start" wrap>
        <Button type="primary" disabled={!draft?.diff} loading={store.isPending} onClick={() => void send()}>
          {t("store")}
        </Button>
        <UnsavedNote isKept={isKept} isStale={false} discard={() => change(null)} />
      </Flex>
    </Flex>
  );
}
