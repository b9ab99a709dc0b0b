import { Button } from "antd";
import { Link } from "react-router";
import { appTexts } from "@/app/texts";
import { EmptyState } from "@/components/EmptyState";
import { useTexts } from "@/i18n";

export function NotFound() {
  const t = useTexts(appTexts);
  return (
    <EmptyState
      title={t("not_found")}
      action={
        <Link to="/">
          <Button type="primary">{t("not_found_next")}</Button>
        </Link>
      }
    />
  );
}
