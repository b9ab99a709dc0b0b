/** The next step where nothing is known: a chat in which one tells it, of an entity by its name. */
import { LinkButton } from "@/components/links/LinkButton";
import { NextStep } from "@/components/states/NextStep";
import { useTexts } from "@/i18n";
import { texts } from "@/pages/learned/memory/texts";

export function TellSomething({ about }: { about?: string }) {
  const t = useTexts(texts);
  const to = about ? `/chat?text=${encodeURIComponent(`${about} `)}` : "/chat";
  return (
    <NextStep>
      <LinkButton to={to}>{t("tell")}</LinkButton>
    </NextStep>
  );
}
