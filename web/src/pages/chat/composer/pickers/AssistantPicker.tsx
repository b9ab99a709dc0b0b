import { Suspense, useState } from "react";
import { useAssistants } from "@/pages/chat/composer/assistants/queries";
import { Choices, type Choice } from "@/pages/chat/composer/pickers/Choices";
import { composerTexts } from "@/pages/chat/composer/texts";
import { lazyPart } from "@/pages/chat/lazyPart";
import { useTexts } from "@/i18n";

const AssistantsDialog = lazyPart(
  "AssistantsDialog",
  () => import("@/pages/chat/composer/assistants/AssistantsDialog"),
);

interface Props {
  /** null: the one that is always there. */
  value: string | null;
  onChange: (assistantId: string) => void;
}

// No assistant is called so: an id has no space.
const MANAGE = "manage them";

/** Who answers. */
export function AssistantPicker({ value, onChange }: Props) {
  const t = useTexts(composerTexts);
  const assistants = useAssistants().data;
  const [managing, setManaging] = useState(false);
  const active = assistants?.filter((each) => each.is_active) ?? [];
  const current = value ?? active[0]?.assistant_id;
  if (!assistants || current === undefined) return null;
  const gone: Choice[] = active.some((each) => each.assistant_id === current)
    ? []
    : [{ value: current, label: t("assistant_gone"), hint: t("assistant_gone_hint"), disabled: true }];
  const choices = active.map(
    (each): Choice => ({ value: each.assistant_id, label: each.name, hint: each.description }),
  );
  return (
    <>
      <Choices
        aria-label={t("assistant")}
        value={current}
        onChange={(chosen) => (chosen === MANAGE ? setManaging(true) : onChange(chosen))}
        className="chat-assistant"
        options={[...gone, ...choices, { value: MANAGE, label: t("assistants_manage") }]}
      />
      {managing && (
        <Suspense fallback={null}>
          <AssistantsDialog onMade={onChange} onClose={() => setManaging(false)} />
        </Suspense>
      )}
    </>
  );
}
