import { Typography } from "antd";
import { useTexts } from "@/i18n";
import type { Completion } from "@/pages/data/sql/completion";
import { texts } from "@/pages/data/sql/texts";

interface Props {
  found: Completion[];
  choose: (completion: Completion) => void;
}

/** The names that fit at the cursor; a mouse keeps the cursor where it is. */
export function Names({ found, choose }: Props) {
  const t = useTexts(texts);
  return (
    <section className="sql-names" aria-label={t("names")}>
      <Typography.Text type="secondary">{t("names_hint")}</Typography.Text>
      {found.length > 0 && (
        <ul>
          {found.map((each) => (
            <li key={`${each.kind} ${each.label} ${each.detail}`}>
              <button
                type="button"
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => choose(each)}
              >
                <span>{each.label}</span>
                <small>{each.kind === "table" ? t("table") : each.detail}</small>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
