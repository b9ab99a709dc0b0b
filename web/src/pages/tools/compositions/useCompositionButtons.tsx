/** What can be done with a composition by those who may change it. */
import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import { useMayChange } from "@/api/ownership";
import { EditDeleteButtons } from "@/components/forms/EditDeleteButtons";
import { useTexts } from "@/i18n";
import { COMPOSITIONS, placeOf } from "@/pages/tools/compositions/places";
import { useCompositionActions, type Composition } from "@/pages/tools/compositions/queries";
import { texts } from "@/pages/tools/compositions/texts";

export function useCompositionButtons(
  composition: Composition,
  isOpen = false,
): { buttons: ReactNode; error: Error | null } {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const { remove } = useCompositionActions();
  const { name } = composition;
  const writes = useMayChange()(composition.project_id);
  const buttons = writes && (
    <EditDeleteButtons
      name={name}
      editTo={isOpen ? null : `${placeOf(composition.id)}?tab=edit`}
      hint={t("remove_hint")}
      remove={() => remove.mutateAsync(composition.id)}
      onRemoved={() => isOpen && void navigate(COMPOSITIONS)}
    />
  );
  return { buttons, error: remove.error };
}
