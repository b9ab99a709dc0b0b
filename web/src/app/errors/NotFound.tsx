import { appTexts } from "@/app/texts";
import { EmptyState } from "@/components/states/EmptyState";
import { LinkButton } from "@/components/links/LinkButton";
import { useTexts } from "@/i18n";

export function NotFound() {
  const t = useTexts(appTexts);
  return (
    <EmptyState
      title={t("not_found")}
      action={
        <LinkButton to="/" type="primary">{t("not_found_next")}</LinkButton>
      }
    />
  );
}
