/** mod+K: commands by a few letters of their names, chats, tables and files; and the list of keys. */
import { Empty, Flex, Input, Modal, Tag, Typography, type InputRef } from "antd";
import { useEffect, useMemo, useRef, useState } from "react";
import { keyLabels, useCommandRegistry, type Command } from "@/app/palette/commands";
import { appTexts } from "@/app/texts";
import { useFound } from "@/app/palette/useFound";
import { useTexts } from "@/i18n";
import "@/app/palette/palette.css";

export default function Palette() {
  const t = useTexts(appTexts);
  const { commands, paletteOpen, helpOpen, show } = useCommandRegistry();
  const all = useMemo(() => Object.values(commands), [commands]);
  return (
    <>
      <Modal
        open={paletteOpen}
        onCancel={() => show(null)}
        footer={null}
        closable={false}
        destroyOnHidden
        title={<span className="visually-hidden">{t("palette")}</span>}
        styles={{ body: { padding: 0 } }}
        style={{ top: 80 }}
      >
        <Chooser commands={all} choose={(command) => (show(null), command.run())} />
      </Modal>
      <Modal open={helpOpen} onCancel={() => show(null)} footer={null} title={t("keys")}>
        {all
          .filter((command) => command.keys)
          .map((command) => (
            <Flex key={command.id} justify="space-between" style={{ padding: "4px 0" }}>
              <span>{command.title}</span>
              <Keys keys={command.keys ?? ""} />
            </Flex>
          ))}
      </Modal>
    </>
  );
}

function Chooser({ commands, choose }: { commands: Command[]; choose: (c: Command) => void }) {
  const t = useTexts(appTexts);
  const [query, setQuery] = useState("");
  const [at, setAt] = useState(0);
  const input = useRef<InputRef>(null);
  useEffect(() => input.current?.focus(), []);
  const things = useFound(query);
  const found = [...useMemo(() => ranked(commands, query), [commands, query]), ...things];
  const chosen = found[Math.min(at, found.length - 1)];
  return (
    <>
      <Input
        ref={input}
        size="large"
        role="combobox"
        aria-expanded
        aria-controls="palette-list"
        aria-activedescendant={chosen ? `palette-${chosen.id}` : undefined}
        aria-label={t("palette")}
        placeholder={t("palette_placeholder")}
        value={query}
        onChange={(event) => (setQuery(event.target.value), setAt(0))}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (step) {
            event.preventDefault();
            setAt((now) => (Math.min(now, found.length - 1) + step + found.length) % found.length);
          } else if (event.key === "Enter" && chosen) choose(chosen);
        }}
      />
      {found.length === 0 && (
        <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t("palette_empty", { query })} />
      )}
      <ul className="palette-list" id="palette-list" role="listbox" aria-label={t("palette")}>
        {found.map((command) => (
          <li
            key={command.id}
            id={`palette-${command.id}`}
            role="option"
            aria-selected={command.id === chosen?.id}
            onClick={() => choose(command)}
            onMouseMove={() => setAt(found.indexOf(command))}
          >
            <span>
              {command.title}{" "}
              <Typography.Text type="secondary">{command.hint ?? command.group}</Typography.Text>
            </span>
            {command.keys && <Keys keys={command.keys} />}
          </li>
        ))}
      </ul>
    </>
  );
}

function Keys({ keys }: { keys: string }) {
  return (
    <span>
      {keyLabels(keys).map((label) => (
        <Tag key={label} style={{ marginInlineEnd: 4 }}>
          {label}
        </Tag>
      ))}
    </span>
  );
}

/** What begins with the query first, then what has it, then what has its letters in order. */
function ranked(commands: Command[], query: string): Command[] {
  const wanted = query.trim().toLowerCase();
  if (!wanted) return commands;
  const rank = (command: Command) => {
    const text = `${command.title} ${command.hint ?? ""}`.toLowerCase();
    if (text.startsWith(wanted)) return 0;
    if (text.includes(wanted)) return 1;
    let from = 0;
    for (const letter of wanted) {
      from = text.indexOf(letter, from) + 1;
      if (from === 0) return 3;
    }
    return 2;
  };
  return commands
    .map((command) => ({ command, rank: rank(command) }))
    .filter((each) => each.rank < 3)
    .sort((a, b) => a.rank - b.rank)
    .map((each) => each.command);
}
