/** One line of code with a button that copies it. */
import { CheckOutlined, CopyOutlined } from "@ant-design/icons";
import { Button, Flex } from "antd";
import { useState } from "react";
import { componentTexts } from "@/components/texts";
import { useTexts } from "@/i18n";

export function CodeLine({ text }: { text: string }) {
  return (
    <Flex gap={8} align="center" className="code-line">
      <code style={{ flex: 1, overflowWrap: "anywhere" }}>{text}</code>
      <CopyButton text={text} />
    </Flex>
  );
}

export function CopyButton({ text, label }: { text: string; label?: string }) {
  const t = useTexts(componentTexts);
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <Button
      size="small"
      type="text"
      icon={copied ? <CheckOutlined /> : <CopyOutlined />}
      aria-label={copied ? t("copied") : t("copy")}
      onClick={() => void copy()}
    >
      {label}
    </Button>
  );
}
