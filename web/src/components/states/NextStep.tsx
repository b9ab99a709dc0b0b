/** The next step on an empty page: what a member can do there; a viewer is led to what there is. */
import type { ReactNode } from "react";
import { mayWrite, useMe } from "@/api/me";
import { LinkButton } from "@/components/links/LinkButton";
import { componentTexts } from "@/components/texts";
import { useTexts } from "@/i18n";

export function NextStep({ children }: { children: ReactNode }) {
  const t = useTexts(componentTexts);
  if (mayWrite(useMe())) return children;
  return <LinkButton to="/overview">{t("viewer_way")}</LinkButton>;
}
