/** The files a skill brings: scripts, references, assets. */
import { Typography } from "antd";
import type { SkillDetail } from "@/api/skills";
import { EmptyState } from "@/components/states/EmptyState";
import { Entries, Entry } from "@/components/tables/Entries";
import { useTexts } from "@/i18n";
import { formatBytes } from "@/i18n/format";
import { fileAddress } from "@/pages/skills/queries";
import { texts } from "@/pages/skills/texts";

export function SkillFiles({ skill }: { skill: SkillDetail }) {
  const t = useTexts(texts);
  if (skill.files.length === 0) return <EmptyState title={t("no_files")}>{t("no_files_hint")}</EmptyState>;
  return (
    <>
      <Typography.Paragraph type="secondary">
        {t("files_hint", { path: `/skills/${skill.scope}/${skill.name}/` })}
      </Typography.Paragraph>
      <Entries>
        {skill.files.map((file) => (
          <Entry
            key={file.path}
            title={
              <a href={fileAddress(skill.id, file.path)} target="_blank" rel="noopener noreferrer">
                {file.path}
              </a>
            }
            line={formatBytes(file.size_bytes)}
          />
        ))}
      </Entries>
    </>
  );
}
