/** What stands in the file of a workflow: its request, inputs and calls, and where a model is still needed. */
import { Tag, Typography } from "antd";
import { useTexts } from "@/i18n";
import { texts } from "@/pages/learned/patterns/texts";
import type { WorkflowContent } from "@/pages/learned/patterns/workflow/queries";
import "@/pages/learned/patterns/workflow/outline.css";

export function Outline({ workflow }: { workflow: WorkflowContent }) {
  const t = useTexts(texts);
  return (
    <div className="workflow-outline">
      <strong>{workflow.name}</strong>
      <div>{workflow.goal}</div>
      <Typography.Text type="secondary">
        {workflow.inputs.length > 0
          ? t("inputs_of", { names: workflow.inputs.map(({ name }) => name).join(", ") })
          : t("inputs_none")}
      </Typography.Text>
      <ol aria-label={t("calls")}>
        {workflow.steps.map(({ number, tool, needs_model, takes }) => (
          <li key={number}>
            <code>{tool}</code> {needs_model && <Tag>{t("needs_model")}</Tag>}
            {takes.length > 0 && <Typography.Text type="secondary">{t("takes", { names: takes.join(", ") })}</Typography.Text>}
          </li>
        ))}
      </ol>
      <Typography.Text type="secondary">{t(workflow.answer_needs_model ? "answer_by_model" : "answer_fixed")}</Typography.Text>
    </div>
  );
}
