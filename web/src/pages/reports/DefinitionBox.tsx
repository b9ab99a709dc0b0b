/** A definition as text; the server's errors are shown below it, and the text stays. */
import { Flex, Input, Typography } from "antd";
import { useTexts } from "@/i18n";
import { texts } from "@/pages/reports/texts";

interface Props {
  value: string;
  change: (value: string) => void;
}

export function DefinitionBox({ value, change }: Props) {
  const t = useTexts(texts);
  return (
    <Flex vertical gap={4}>
      <Typography.Text type="secondary" id="definition-hint">
        {t("definition_hint")} {t("blocks_hint", { braces: "{{name}}" })}
      </Typography.Text>
      <Input.TextArea
        value={value}
        aria-label={t("definition")}
        aria-describedby="definition-hint"
        autoSize={{ minRows: 14, maxRows: 36 }}
        spellCheck={false}
        style={{ fontFamily: "var(--da-font-family-code)" }}
        onChange={(event) => change(event.target.value)}
      />
    </Flex>
  );
}
