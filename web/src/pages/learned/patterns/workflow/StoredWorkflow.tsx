/** A stored workflow: run it with inputs, see what it has saved, change its file or compile it again. */
import { DeleteOutlined, EditOutlined, ReloadOutlined } from "@ant-design/icons";
import { App, Button, Flex, Popconfirm, Statistic, Typography } from "antd";
import type { PatternDetail } from "@/api/learned/patterns";
import { CodeBlock } from "@/components/code/CodeBlock";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { formatNumber } from "@/i18n/format";
import { signedDuration } from "@/pages/learned/patterns/list/figures";
import { texts } from "@/pages/learned/patterns/texts";
import { Outline } from "@/pages/learned/patterns/workflow/Outline";
import { useWorkflowActions, type Workflow } from "@/pages/learned/patterns/workflow/queries";
import { RunForm } from "@/pages/learned/patterns/workflow/RunForm";

interface Props {
  pattern: PatternDetail;
  workflow: Workflow;
  isEdited: boolean;
  edit: (text: string) => void;
}

export function StoredWorkflow({ pattern, workflow, isEdited, edit }: Props) {
  const t = useTexts(texts);
  const { message } = App.useApp();
  const { compile, remove } = useWorkflowActions(pattern.id);
  const again = () =>
    compile.mutate(undefined, {
      onSuccess: ({ text, diff }) => (diff ? edit(text) : void message.info(t("compile_same"))),
    });
  const error = compile.error ?? remove.error;
  return (
    <Flex vertical gap={24}>
      <Saved workflow={workflow} />
      {pattern.may_change && <RunForm patternId={pattern.id} workflow={workflow} />}
      <section aria-label={t("calls")}>
        <Outline workflow={workflow} />
      </section>
      {!isEdited && <CodeBlock text={workflow.text} language="yaml" />}
      {error && <ErrorNotice error={error} />}
      {pattern.may_change && !isEdited && (
        <Flex gap={8} wrap>
          <Button icon={<EditOutlined />} onClick={() => edit(workflow.text)}>
            {t("edit_file")}
          </Button>
          {pattern.can_compile && (
            <Button icon={<ReloadOutlined />} loading={compile.isPending} onClick={again}>
              {t("compile_again")}
            </Button>
          )}
          <Popconfirm
            title={t("workflow_remove_ask")}
            description={t("workflow_remove_hint")}
            okText={t("remove")}
            okButtonProps={{ danger: true }}
            cancelText={t("cancel")}
            onConfirm={() => remove.mutateAsync().catch(() => undefined)}
          >
            <Button danger icon={<DeleteOutlined />}>
              {t("workflow_remove")}
            </Button>
          </Popconfirm>
        </Flex>
      )}
    </Flex>
  );
}

function Saved({ workflow }: { workflow: Workflow }) {
  const t = useTexts(texts);
  const { runs, handed_over, tokens_saved, seconds_saved } = workflow;
  if (runs === 0) return <Typography.Text type="secondary">{t("workflow_not_run")}</Typography.Text>;
  const figures: [string, string][] = [
    [t("workflow_runs"), formatNumber(runs)],
    [t("handed_over"), formatNumber(handed_over)],
    [t("tokens_saved"), formatNumber(tokens_saved)],
    [t("time_saved"), signedDuration(seconds_saved)],
  ];
  return (
    <Flex gap={40} wrap>
      {figures.map(([title, value]) => (
        <Statistic key={title} title={title} value={value} />
      ))}
    </Flex>
  );
}
