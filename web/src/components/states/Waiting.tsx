import { Flex, Spin } from "antd";
import { componentTexts } from "@/components/texts";
import { useTexts } from "@/i18n";

export function Waiting() {
  const t = useTexts(componentTexts);
  return (
    <Flex justify="center" align="center" style={{ minHeight: 160, height: "100%" }} role="status">
      <Spin delay={200} />
      <span className="visually-hidden">{t("loading")}</span>
    </Flex>
  );
}
