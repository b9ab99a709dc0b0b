/** Clarifications and decisions: options to choose from, and always one's own words. */
import { Button, Checkbox, Flex, Input, Radio, Tag } from "antd";
import { useState } from "react";
import { Markdown } from "@/components/markdown/Markdown";
import { answer, optionsOf, type Option } from "@/pages/chat/requests/answer/answers";
import type { KindProps } from "@/pages/chat/requests/kinds/kinds";
import { isPatternOffer, isPlanApproval, optionTextOf, patternText } from "@/pages/chat/requests/plan";
import { requestTexts } from "@/pages/chat/requests/texts";
import { formatDuration } from "@/i18n/format";
import { useTexts } from "@/i18n";

export function Question({ request, sending, onAnswer }: KindProps) {
  const t = useTexts(requestTexts);
  const options = optionsOf(request);
  const multiple = request.allow_multiple;
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [other, setOther] = useState("");
  const decision = answer(chosen, other, multiple);
  const asked = request.question ?? request.context ?? "";
  // The plan, and why it is asked about, stand in the dock above.
  const said = isPlanApproval(request) ? "" : isPatternOffer(request) ? patternText(asked) : asked;
  const offered = options.map((each) => ({
    value: each.label,
    label: <OptionText {...each} {...optionTextOf(request, each, t)} />,
  }));
  const choose = (labels: readonly string[]) => {
    setChosen(labels);
    if (!multiple) setOther("");
  };
  const write = (text: string) => {
    setOther(text);
    if (text && !multiple) setChosen([]);
  };
  return (
    <Flex vertical gap={8}>
      {said && <Markdown text={said} />}
      {request.context && request.context !== asked && <Markdown text={request.context} />}
      {options.length > 0 &&
        (multiple ? (
          <Checkbox.Group
            value={[...chosen]}
            disabled={sending}
            onChange={(labels) => choose(labels)}
            className="chat-options"
            options={offered}
          />
        ) : (
          <Radio.Group
            value={chosen[0]}
            disabled={sending}
            onChange={(event) => choose([event.target.value as string])}
            className="chat-options"
            options={offered}
          />
        ))}
      <Flex gap={8} wrap className="chat-request-actions">
        <Input.TextArea
          aria-label={t("other_label")}
          placeholder={options.length ? t("other") : t("other_label")}
          autoSize={{ minRows: 1, maxRows: 5 }}
          style={{ flex: "1 1 220px" }}
          disabled={sending}
          value={other}
          onChange={(event) => write(event.target.value)}
        />
        <Button
          type="primary"
          disabled={!decision}
          loading={sending}
          onClick={() => decision && onAnswer(decision)}
        >
          {t("answer")}
        </Button>
      </Flex>
    </Flex>
  );
}

function OptionText({ label, description, recommended, durationMs }: Option) {
  const t = useTexts(requestTexts);
  return (
    <span>
      {label} {recommended && <Tag color="blue">{t("recommended")}</Tag>}
      {durationMs !== null && (
        <span className="chat-secondary">
          {t("about", { duration: formatDuration(durationMs) })}
        </span>
      )}
      {description && <span className="chat-option-hint chat-secondary">{description}</span>}
    </span>
  );
}
