/** Which loop and whether a plan, for the next message; what is as usual takes no room. */
import { PartitionOutlined } from "@ant-design/icons";
import { Button, Popover } from "antd";
import { Suspense } from "react";
import { planningRequest, type Planning } from "@/pages/chat/composer/pickers/planning";
import { composerTexts } from "@/pages/chat/composer/texts";
import { lazyPart } from "@/pages/chat/lazyPart";
import { useTexts } from "@/i18n";

const PlanningChoices = lazyPart("PlanningChoices", () => import("@/pages/chat/composer/pickers/PlanningChoices"));

interface Props {
  value: Planning;
  onChange: (planning: Planning) => void;
}

export function PlanningPicker({ value, onChange }: Props) {
  const t = useTexts(composerTexts);
  const chosen = planningRequest(value);
  const words = [chosen?.loop && t(`loop_${chosen.loop}`), chosen?.mode && t(`planning_${chosen.mode}`)].filter(Boolean);
  return (
    <Popover
      trigger="click"
      title={t("planning")}
      content={
        <Suspense>
          <PlanningChoices value={value} onChange={onChange} />
        </Suspense>
      }
    >
      <Button type={chosen ? "default" : "text"} icon={<PartitionOutlined />} aria-label={[t("planning"), ...words].join(": ")}>
        {words.length > 0 && words.join(", ")}
      </Button>
    </Popover>
  );
}
