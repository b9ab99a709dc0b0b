/** `/` at the beginning offers the commands of the palette, without leaving the keyboard. */
import { Typography } from "antd";
import { useEffect, useRef } from "react";
import { keyLabels, useCommandRegistry, type Command } from "@/app/palette/commands";
import { composerTexts } from "@/pages/chat/composer/texts";
import { useTexts } from "@/i18n";

export const SLASH_LIST_ID = "chat-slash-commands";
const SHOWN_MAX = 30;

/** The commands that fit what stands behind the slash; none when it is no command. */
export function useSlashCommands(text: string): Command[] {
  const commands = useCommandRegistry((registry) => registry.commands);
  const wanted = /^\/(\S*)$/.exec(text)?.[1]?.toLowerCase();
  if (wanted === undefined) return [];
  return Object.values(commands)
    .filter((each) => `${each.title} ${each.hint ?? ""} ${each.id}`.toLowerCase().includes(wanted))
    .slice(0, SHOWN_MAX);
}

interface Props {
  commands: readonly Command[];
  selected: number;
  onRun: (command: Command) => void;
}

export function SlashMenu({ commands, selected, onRun }: Props) {
  const t = useTexts(composerTexts);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.children[selected]?.scrollIntoView({ block: "nearest" });
  }, [selected]);
  return (
    <ul
      ref={list}
      id={SLASH_LIST_ID}
      role="listbox"
      aria-label={t("commands")}
      className="chat-slash"
    >
      {commands.map((command, index) => (
        <li
          key={command.id}
          id={`${SLASH_LIST_ID}-${index}`}
          role="option"
          aria-selected={index === selected}
          // The text keeps the focus.
          onMouseDown={(event) => (event.preventDefault(), onRun(command))}
        >
          <span>
            {command.title}{" "}
            {command.hint && <Typography.Text type="secondary">{command.hint}</Typography.Text>}
          </span>
          {command.keys && <kbd>{keyLabels(command.keys).join(" ")}</kbd>}
        </li>
      ))}
    </ul>
  );
}
