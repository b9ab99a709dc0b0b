import { Flex, Typography } from "antd";
import { CodeBlock } from "@/components/code/CodeBlock";
import { JsonView } from "@/components/code/JsonView";
import type { Action } from "@/pages/chat/requests/answer/answers";
import { effectOf } from "@/pages/chat/requests/effects/effect";
import { FileEffectView } from "@/pages/chat/requests/effects/FileEffectView";
import { requestTexts } from "@/pages/chat/requests/texts";
import { useTexts } from "@/i18n";
import type { JsonObject } from "@/stream/events";

const LANGUAGES = { command: "bash", code: "python", sql: "sql" } as const;

interface Props {
  interruptId: string;
  action: Action;
}

/** Exactly what would be done, whole: no argument is left out. */
export function EffectView({ interruptId, action }: Props) {
  const effect = effectOf(action.name, action.args);
  return (
    <div className="chat-effect">
      {"text" in effect && <CodeBlock text={effect.text} language={LANGUAGES[effect.kind]} />}
      {effect.kind === "sampling" &&
        effect.messages.map(({ role, text }, at) => <CodeBlock key={at} text={text} language={role} />)}
      {"path" in effect && <FileEffectView interruptId={interruptId} effect={effect} />}
      <Rest name={effect.kind === "other" ? action.name : null} args={effect.rest} />
    </div>
  );
}

/** The arguments that are not shown otherwise; for a tool that is not ours under its whole name. */
function Rest({ name, args }: { name: string | null; args: JsonObject }) {
  const t = useTexts(requestTexts);
  if (name === null && Object.keys(args).length === 0) return null;
  return (
    <Flex vertical gap={4}>
      <Typography.Text type="secondary">
        {t("arguments")} {name && <code className="chat-anywhere">{name}</code>}
      </Typography.Text>
      <JsonView value={args} />
    </Flex>
  );
}
