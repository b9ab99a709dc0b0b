/** Data › source › table, each a way back. */
import { Breadcrumb } from "antd";
import { Link } from "react-router";
import { useTexts } from "@/i18n";
import { shownSource, SOURCES, sourceLink } from "@/pages/data/places";
import { texts } from "@/pages/data/tables/texts";

export function Trail({ source, table }: { source: string; table?: string }) {
  const t = useTexts(texts);
  // A file with one table leads straight to it: its own name says enough.
  const alone = table !== undefined && source.startsWith("/");
  return (
    <nav aria-label={t("where")}>
      <Breadcrumb
        items={[
          { title: <Link to={SOURCES}>{t("all_data")}</Link> },
          { title: table && !alone ? <Link to={sourceLink(source)}>{source}</Link> : shownSource(source) },
          ...(table ? [{ title: table }] : []),
        ]}
      />
    </nav>
  );
}
