/** Writes the test prompts of a skill: those that should load it, and those that should not. */
import { App, Form, Input } from "antd";
import type { SkillDetail } from "@/api/skills";
import { FormDialog } from "@/components/forms/FormDialog";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import { usePrompts, useSkillActions } from "@/pages/skills/queries";
import { linesOf } from "@/pages/skills/results/prompts";
import { texts } from "@/pages/skills/texts";

interface Values {
  should: string;
  should_not: string;
}

export function PromptsDialog({ skill, close }: { skill: SkillDetail; close: () => void }) {
  const t = useTexts(texts);
  const { message } = App.useApp();
  const { savePrompts } = useSkillActions();
  const prompts = usePrompts(skill);
  return (
    <Resource query={prompts}>
      {(found) => (
        <FormDialog<Values>
          title={t("test_write")}
          okText={t("save")}
          initialValues={{ should: found.should.join("\n"), should_not: found.should_not.join("\n") }}
          submit={async ({ should, should_not }) => {
            await savePrompts.mutateAsync({ skill, prompts: { should: linesOf(should), should_not: linesOf(should_not) } });
            void message.success(t("test_saved"));
          }}
          close={close}
        >
          <Form.Item
            name="should"
            label={t("test_should")}
            extra={t("test_lines")}
            rules={[{ required: true, whitespace: true, message: t("test_required") }]}
          >
            <Input.TextArea autoSize={{ minRows: 4, maxRows: 12 }} />
          </Form.Item>
          <Form.Item name="should_not" label={t("test_should_not")} extra={t("test_lines")}>
            <Input.TextArea autoSize={{ minRows: 4, maxRows: 12 }} />
          </Form.Item>
        </FormDialog>
      )}
    </Resource>
  );
}
