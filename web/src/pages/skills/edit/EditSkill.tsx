/** The text of a skill; that of a built-in one can only be read. */
import { App, Button, Flex, Typography } from "antd";
import { useState } from "react";
import { useMayChange } from "@/api/ownership";
import type { SkillDetail } from "@/api/skills";
import { CodeBlock } from "@/components/code/CodeBlock";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { SkillText } from "@/pages/skills/edit/SkillText";
import { useSkillActions } from "@/pages/skills/queries";
import { texts } from "@/pages/skills/texts";

export function EditSkill({ skill }: { skill: SkillDetail }) {
  const t = useTexts(texts);
  const { message } = App.useApp();
  // What is not saved yet stays, also when the stored text changes meanwhile.
  const [draft, setDraft] = useState<string | null>(null);
  const content = draft ?? skill.content;
  const { save } = useSkillActions();
  const writes = useMayChange()(skill.project_id) && !skill.is_system_skill;
  if (!writes) return <CodeBlock text={skill.content} language="markdown" />;
  const isChanged = content !== skill.content;
  return (
    <Flex vertical gap={12}>
      <SkillText value={content} change={setDraft} />
      {save.error && <ErrorNotice error={save.error} />}
      <Flex gap={8} align="center" wrap>
        <Button
          type="primary"
          disabled={!isChanged}
          loading={save.isPending}
          onClick={() =>
            save
              .mutateAsync({ id: skill.id, content })
              .then(() => {
                // What was typed meanwhile is not saved.
                setDraft((now) => (now === content ? null : now));
                void message.success(t("saved"));
              })
              .catch(() => undefined)
          }
        >
          {t("save")}
        </Button>
        {isChanged && <Typography.Text type="secondary">{t("unsaved")}</Typography.Text>}
      </Flex>
    </Flex>
  );
}
