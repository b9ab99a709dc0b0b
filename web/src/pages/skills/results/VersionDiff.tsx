/** What two versions of a skill do not share: lines of SKILL.md, and files. */
import { Flex, Tag, Typography } from "antd";
import type { Schemas } from "@/api/client";
import { DiffLines } from "@/components/diff/DiffView";
import { textDiff } from "@/components/diff/textDiff";
import { Folded } from "@/components/page/Folded";
import { Entries, Entry } from "@/components/tables/Entries";
import { useTexts } from "@/i18n";
import { fileChanges, type FileChange } from "@/pages/skills/results/fileChanges";
import { texts } from "@/pages/skills/texts";

type Version = Schemas["SkillVersionDetail"];

const COLOURS = { added: "green", removed: "red", changed: "orange" } as const;

export function VersionDiff({ before, after }: { before: Version; after: Version }) {
  const t = useTexts(texts);
  const files = fileChanges(before.files, after.files);
  const isSameText = before.content === after.content;
  if (isSameText && files.length === 0) return <Typography.Text type="secondary">{t("diff_none")}</Typography.Text>;
  return (
    <Flex vertical gap={12}>
      {files.length > 0 && <FileChanges changes={files} />}
      {isSameText ? (
        <Typography.Text type="secondary">{t("diff_text_none")}</Typography.Text>
      ) : (
        <DiffLines lines={textDiff(before.content, after.content)} />
      )}
    </Flex>
  );
}

function FileChanges({ changes }: { changes: readonly FileChange[] }) {
  const t = useTexts(texts);
  return (
    <section aria-label={t("diff_files")}>
      <Typography.Title level={3} style={{ fontSize: 14, marginTop: 0 }}>
        {t("diff_files")}
      </Typography.Title>
      <Folded lines={changes}>
        {(shown) => (
          <Entries>
            {shown.map(({ path, kind }) => (
              <Entry key={path} title={path} actions={<Tag color={COLOURS[kind]}>{t(`diff_${kind}`)}</Tag>} />
            ))}
          </Entries>
        )}
      </Folded>
    </section>
  );
}
