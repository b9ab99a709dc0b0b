/** Finds an entity by its name and shows it in the graph, wherever it is folded away. */
import { Input, Typography } from "antd";
import { useState } from "react";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useSettled } from "@/components/forms/useSettled";
import { useTexts } from "@/i18n";
import { useEntitySearch } from "@/pages/learned/memory/graph/queries";
import type { Entity } from "@/pages/learned/memory/graph/scene";
import { texts } from "@/pages/learned/memory/texts";

export function EntityFinder({ show }: { show: (entity: Entity) => void }) {
  const t = useTexts(texts);
  const [words, setWords] = useState("");
  const settled = useSettled(words.trim());
  const found = useEntitySearch(settled);
  const isOpen = words.trim() !== "";
  return (
    <div role="search">
      <Input.Search
        allowClear
        aria-label={t("find_entity")}
        placeholder={t("find_entity")}
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
      {found.error && isOpen && <ErrorNotice error={found.error} />}
      {isOpen && found.data && (
        <ul className="graph-found" aria-label={t("entities_found")}>
          {found.data.items.map((each) => (
            <li key={each.id}>
              <button
                type="button"
                className="graph-name"
                onClick={() => {
                  setWords("");
                  show(each);
                }}
              >
                {each.name}
              </button>{" "}
              <Typography.Text type="secondary">{each.type}</Typography.Text>
            </li>
          ))}
          {found.data.items.length === 0 && <li role="status">{t("entities_none", { words: settled })}</li>}
        </ul>
      )}
    </div>
  );
}
