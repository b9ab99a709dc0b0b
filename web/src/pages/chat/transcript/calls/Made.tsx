/** The files a call made: charts and pictures are shown, reports on demand, all can be downloaded. */
import { DownloadOutlined, FileTextOutlined } from "@ant-design/icons";
import { Button, Typography } from "antd";
import { useMemo, useState } from "react";
import { Chart } from "@/components/charts/Chart";
import { FramedPage } from "@/components/page/FramedPage";
import { Waiting } from "@/components/states/Waiting";
import {
  artifactUrl,
  previewUrl,
  shownUrl,
  useArtifactJson,
  useArtifactThere,
} from "@/pages/chat/transcript/calls/artifacts";
import { madeBy, type MadeFile } from "@/pages/chat/transcript/calls/madeFiles";
import { useSetting } from "@/pages/chat/transcript/setting";
import { transcriptTexts } from "@/pages/chat/transcript/texts";
import type { CallItem } from "@/stream/conversation";
import { messageOf } from "@/api/errors";
import { useTexts } from "@/i18n";
import { formatBytes } from "@/i18n/format";

export function Made({ call }: { call: CallItem }) {
  const t = useTexts(transcriptTexts);
  const { files, shown } = useMemo(() => madeBy(call), [call]);
  const { sessionId } = useSetting();
  if (files.length === 0 && shown.length === 0) return null;
  return (
    <div className="made" role="group" aria-label={t("made")}>
      {shown.map((file) => (
        <Shown key={file.id} file={file} sessionId={sessionId} />
      ))}
      <div className="made-files">
        {files.map((file) => (
          <a key={file.id} href={artifactUrl(sessionId, file.id)} download={file.name} title={file.path}>
            <DownloadOutlined aria-hidden /> {file.name}{" "}
            <Typography.Text type="secondary" className="small">
              {formatBytes(file.bytes)}
            </Typography.Text>
          </a>
        ))}
      </div>
    </div>
  );
}

interface Props {
  file: MadeFile;
  sessionId: string;
}

function Shown(props: Props) {
  if (props.file.kind === "chart") return <MadeChart {...props} />;
  return props.file.kind === "image" ? <MadeImage {...props} /> : <MadeReport {...props} />;
}

function MadeChart({ file, sessionId }: Props) {
  const t = useTexts(transcriptTexts);
  const spec = useArtifactJson(sessionId, file.id);
  if (spec.isPending) return <Waiting />;
  if (spec.error) return <Failed file={file} error={spec.error} />;
  if (spec.data === null) return <Gone file={file} />;
  return <Chart spec={spec.data} title={t("chart_of", { name: file.name })} />;
}

function MadeImage({ file, sessionId }: Props) {
  const [gone, setGone] = useState(false);
  if (gone) return <Gone file={file} />;
  return (
    <img
      className="made-image"
      loading="lazy"
      src={shownUrl(sessionId, file.id)}
      alt={file.name}
      onError={() => setGone(true)}
    />
  );
}

function MadeReport({ file, sessionId }: Props) {
  const t = useTexts(transcriptTexts);
  const [open, setOpen] = useState(false);
  const there = useArtifactThere(sessionId, file.id, open);
  return (
    <div>
      <Button icon={<FileTextOutlined />} aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? t("hide_report") : t("show_report")}
      </Button>
      {open && there.isPending && <Waiting />}
      {open && there.error && <Failed file={file} error={there.error} />}
      {open && there.data === false && <Gone file={file} />}
      {open && there.data && (
        <div className="made-report">
          <FramedPage src={previewUrl(sessionId, file.id)} title={t("report", { name: file.name })} />
        </div>
      )}
    </div>
  );
}

function Gone({ file }: { file: MadeFile }) {
  const t = useTexts(transcriptTexts);
  return <Typography.Text type="secondary">{t("file_gone", { name: file.name })}</Typography.Text>;
}

function Failed({ file, error }: { file: MadeFile; error: unknown }) {
  const t = useTexts(transcriptTexts);
  return (
    <Typography.Text type="secondary">
      {t("file_failed", { name: file.name, why: messageOf(error) })}
    </Typography.Text>
  );
}
