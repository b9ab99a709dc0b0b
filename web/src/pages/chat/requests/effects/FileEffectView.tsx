/** What a call would make of a file, compared by the server with the one that is there now. */
import { useQuery } from "@tanstack/react-query";
import { Alert, Typography } from "antd";
import { api, dataOf, type Schemas } from "@/api/client";
import { messageOf } from "@/api/errors";
import { CodeBlock } from "@/components/code/CodeBlock";
import { DiffLines, DiffView } from "@/components/diff/DiffView";
import type { DiffLine } from "@/components/diff/diffLines";
import type { FileEffect, Replacement } from "@/pages/chat/requests/effects/effect";
import { requestTexts } from "@/pages/chat/requests/texts";
import { useTexts } from "@/i18n";
import { formatBytes } from "@/i18n/format";

interface Props {
  interruptId: string;
  effect: FileEffect;
}

export function FileEffectView({ interruptId, effect }: Props) {
  const t = useTexts(requestTexts);
  const seen = useQuery({
    queryKey: ["request effect", interruptId],
    queryFn: () =>
      dataOf(
        api.GET("/api/v1/requests/{interrupt_id}/effect", {
          params: { path: { interrupt_id: interruptId } },
        }),
      ),
    staleTime: 0,
    retry: false,
  });
  const file = seen.data?.file;
  const compared = typeof file?.diff === "string";
  return (
    <>
      {seen.isPending && <Typography.Text type="secondary">{t("comparing")}</Typography.Text>}
      {seen.error && (
        <Alert type="warning" showIcon title={t("not_compared")} description={messageOf(seen.error)} />
      )}
      {file && <Compared file={file} effect={effect} />}
      {(!compared || file.diff_cut) && <AsWritten effect={effect} />}
    </>
  );
}

function Compared({ file, effect }: { file: Schemas["FileEffectInfo"]; effect: FileEffect }) {
  const t = useTexts(requestTexts);
  const { diff, exists, not_compared: why } = file;
  if (why === "fails") {
    return <Alert type="warning" showIcon title={t("effect_fails")} description={file.detail} />;
  }
  const becomes =
    exists === false
      ? t("new_file")
      : file.removes
        ? t("removes", { size: formatBytes(file.bytes_before ?? 0) })
        : effect.kind === "write" && exists
          ? t("overwrites", { size: formatBytes(file.bytes_before ?? 0) })
          : null;
  const same = diff === "" && exists === true && !file.removes;
  return (
    <>
      {becomes && !same && <Typography.Text type="secondary">{becomes}</Typography.Text>}
      {same && <Typography.Text type="secondary">{t("same_file")}</Typography.Text>}
      {diff && <DiffView diff={diff} />}
      {diff && file.diff_cut && <Alert type="info" showIcon title={t("diff_cut")} />}
      {why && (
        <Alert
          type="warning"
          showIcon
          title={t("not_compared")}
          description={[t(`why_${why}`), file.detail].filter(Boolean).join(" ")}
        />
      )}
    </>
  );
}

/** The arguments themselves, where there is nothing better, or not all of it. */
function AsWritten({ effect }: { effect: FileEffect }) {
  switch (effect.kind) {
    case "write":
      return <CodeBlock text={effect.content} language="" />;
    case "edit":
      return effect.edits.map((edit, at) => <Edit key={at} edit={edit} />);
    case "delete":
      return null;
    default:
      return effect satisfies never;
  }
}

function Edit({ edit }: { edit: Replacement }) {
  const t = useTexts(requestTexts);
  return (
    <>
      <Typography.Text type="secondary">{t(edit.everywhere ? "edit_all" : "edit_one")}</Typography.Text>
      <DiffLines lines={replaced(edit)} />
    </>
  );
}

/** The removed and the inserted text; its position in the file is unknown here. */
function replaced({ before, after }: Replacement): DiffLine[] {
  return [
    ...before.split("\n").map((line) => ({ kind: "removed" as const, text: `-${line}` })),
    ...after.split("\n").map((line) => ({ kind: "added" as const, text: `+${line}` })),
  ];
}
