import {
  ApartmentOutlined,
  ApiOutlined,
  BarChartOutlined,
  CheckOutlined,
  CloseCircleFilled,
  CodeOutlined,
  DatabaseOutlined,
  FileOutlined,
  FileTextOutlined,
  GlobalOutlined,
  LoadingOutlined,
  MinusCircleOutlined,
  ToolOutlined,
} from "@ant-design/icons";
import type { ComponentType } from "react";
import { kindOf, type CallKind } from "@/pages/chat/transcript/calls/describe";
import type { CallStatus } from "@/pages/chat/transcript/rows";
import { transcriptTexts } from "@/pages/chat/transcript/texts";
import { useTexts } from "@/i18n";

const ICONS: Record<CallKind, ComponentType> = {
  data: DatabaseOutlined,
  file: FileOutlined,
  shell: CodeOutlined,
  web: GlobalOutlined,
  mcp: ApiOutlined,
  chart: BarChartOutlined,
  report: FileTextOutlined,
  task: ApartmentOutlined,
  other: ToolOutlined,
};

export function CallIcon({ tool }: { tool: string }) {
  const Icon = ICONS[kindOf(tool)];
  return (
    <span aria-hidden className="call-icon">
      <Icon />
    </span>
  );
}

const SIGNS: Record<CallStatus, ComponentType> = {
  ok: CheckOutlined,
  failed: CloseCircleFilled,
  running: LoadingOutlined,
  stopped: MinusCircleOutlined,
};

export function StatusIcon({ status }: { status: CallStatus }) {
  const t = useTexts(transcriptTexts);
  const Sign = SIGNS[status];
  return (
    <span className={`status-icon ${status}`} title={t(`status_${status}`)}>
      <span aria-hidden>
        <Sign />
      </span>
      <span className="visually-hidden">{t(`status_${status}`)}</span>
    </span>
  );
}
