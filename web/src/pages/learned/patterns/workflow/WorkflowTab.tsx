/** The workflow of a pattern: compiled from its clean repeats, looked at before it is stored, then run. */
import { Alert, Button } from "antd";
import type { PatternDetail } from "@/api/learned/patterns";
import { useUnsaved } from "@/app/state/unsaved";
import { EmptyState } from "@/components/states/EmptyState";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import { formatNumber } from "@/i18n/format";
import { texts } from "@/pages/learned/patterns/texts";
import { useWorkflow, useWorkflowActions } from "@/pages/learned/patterns/workflow/queries";
import { StoredWorkflow } from "@/pages/learned/patterns/workflow/StoredWorkflow";
import { WorkflowEditor } from "@/pages/learned/patterns/workflow/WorkflowEditor";

export function WorkflowTab({ pattern }: { pattern: PatternDetail }) {
  const { value: draft, isKept, change } = useUnsaved<string>(`workflows/${pattern.id}`);
  const stored = pattern.workflow && <Stored pattern={pattern} isEdited={draft !== null} edit={change} />;
  if (draft === null || !pattern.may_change) return stored ?? <NoWorkflow pattern={pattern} edit={change} />;
  return (
    <>
      <WorkflowEditor patternId={pattern.id} text={draft} isKept={isKept} change={change} />
      {stored}
    </>
  );
}

interface StoredProps {
  pattern: PatternDetail;
  isEdited: boolean;
  edit: (text: string) => void;
}

function Stored(props: StoredProps) {
  const workflow = useWorkflow(props.pattern.id);
  return <Resource query={workflow}>{(found) => <StoredWorkflow {...props} workflow={found} />}</Resource>;
}

function NoWorkflow({ pattern, edit }: { pattern: PatternDetail; edit: (text: string) => void }) {
  const t = useTexts(texts);
  const { compile } = useWorkflowActions(pattern.id);
  const { may_change, can_compile, repeats } = pattern;
  const why = may_change ? (can_compile ? "compile_hint" : "compile_not_yet") : "workflow_not_yours";
  return (
    <>
      <EmptyState
        title={t("workflow_none")}
        action={
          can_compile && (
            <Button type="primary" loading={compile.isPending} onClick={() => compile.mutate(undefined, { onSuccess: ({ text }) => edit(text) })}>
              {t("compile")}
            </Button>
          )
        }
      >
        {t(why, { count: formatNumber(repeats) })}
      </EmptyState>
      {pattern.origin && <Alert type="info" showIcon title={t("workflow_of_copy")} />}
      {compile.error && <ErrorNotice error={compile.error} />}
    </>
  );
}
