/** The text of a skill; that of a built-in one can only be read. */
import { App, Button, Flex } from "antd";
import { useMayChange } from "@/api/ownership";
import type { SkillDetail } from "@/api/skills";
import { useUnsaved } from "@/app/state/unsaved";
import { CodeBlock } from "@/components/code/CodeBlock";
import { UnsavedNote } from "@/components/forms/UnsavedNote";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { SkillText } from "@/pages/skills/edit/SkillText";
import { useSkillActions } from "@/pages/skills/queries";
import { texts } from "@/pages/skills/texts";

/** What is typed, and the stored text it was typed over. */
interface Draft {
  text: string;
  base: string;
}

export function EditSkill({ skill }: { skill: SkillDetail }) {
  const t = useTexts(texts);
  const { message } = App.useApp();
  const { value: draft, isKept, change } = useUnsaved<Draft>(`skills/${skill.id}`);
  const content = draft?.text ?? skill.content;
  const base = draft?.base ?? skill.content;
  const { save } = useSkillActions();
  const writes = useMayChange()(skill.project_id) && !skill.is_system_skill;
  if (!writes) return <CodeBlock text={skill.content} language="markdown" />;
  const isChanged = content !== skill.content;
  return (
    <Flex vertical gap={12}>
      <SkillText value={content} change={(text) => change(text === skill.content ? null : { text, base })} />
      {save.error && <ErrorNotice error={save.error} />}
      <Flex gap={8} align="start" wrap>
        <Button
          type="primary"
          disabled={!isChanged}
          loading={save.isPending}
          onClick={() =>
            save
              .mutateAsync({ id: skill.id, content })
              .then(() => {
                // What was typed meanwhile is not saved.
                change((now) => (now && now.text !== content ? { text: now.text, base: content } : null));
                void message.success(t("saved"));
              })
              .catch(() => undefined)
          }
        >
          {t("save")}
        </Button>
        {isChanged && <UnsavedNote isKept={isKept} isStale={base !== skill.content} discard={() => change(null)} />}
      </Flex>
    </Flex>
  );
}
