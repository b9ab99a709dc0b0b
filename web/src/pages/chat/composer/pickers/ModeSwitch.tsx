import type { Schemas } from "@/api/client";
import { Choices } from "@/pages/chat/composer/pickers/Choices";
import { composerTexts } from "@/pages/chat/composer/texts";
import { useTexts } from "@/i18n";

export type Mode = Schemas["SessionMode"]["mode"];
const MODES: Mode[] = ["ask", "plan", "auto"];

interface Props {
  mode: Mode;
  pending: boolean;
  onChange: (mode: Mode) => void;
}

export function ModeSwitch({ mode, pending, onChange }: Props) {
  const t = useTexts(composerTexts);
  return (
    <Choices<Mode>
      aria-label={t("mode")}
      value={mode}
      loading={pending}
      disabled={pending}
      onChange={onChange}
      options={MODES.map((each) => ({
        value: each,
        label: t(`mode_${each}`),
        hint: t(`mode_${each}_hint`),
      }))}
    />
  );
}
