/** Takes a SKILL.md, a ZIP or a whole folder and makes a skill of it. */
import { UploadOutlined } from "@ant-design/icons";
import { App, Button, Dropdown } from "antd";
import { useRef, useState } from "react";
import { useNavigate } from "react-router";
import { messageOf } from "@/api/errors";
import { useMayChange } from "@/api/ownership";
import { usePreferences } from "@/app/state/preferences";
import { useTexts } from "@/i18n";
import { useSkillActions, type Place } from "@/pages/skills/queries";
import { texts } from "@/pages/skills/texts";
import { isWanted } from "@/pages/skills/upload/folder";

export function UploadButton() {
  const t = useTexts(texts);
  const { message } = App.useApp();
  const navigate = useNavigate();
  const projectId = usePreferences((state) => state.projectId);
  const { upload } = useSkillActions();
  const filePicker = useRef<HTMLInputElement>(null);
  const folderPicker = useRef<HTMLInputElement>(null);
  const [scope, setScope] = useState<Place["scope"]>("tenant");
  const mayChange = useMayChange();
  const scopes: Place["scope"][] = [
    ...(mayChange(null) ? (["tenant"] as const) : []),
    ...(projectId !== null && mayChange(projectId) ? (["project"] as const) : []),
  ];
  const take = (input: HTMLInputElement) => {
    const files = [...(input.files ?? [])].filter((file) => isWanted(file.webkitRelativePath || file.name));
    input.value = "";
    if (files.length === 0) return;
    upload.mutate(
      { files, scope, project_id: projectId },
      {
        onSuccess: (skill) => {
          void message.success(t("uploaded", { name: skill.name }));
          void navigate(`/skills/${encodeURIComponent(skill.id)}`);
        },
        onError: (error) => void message.error(messageOf(error), 10),
      },
    );
  };
  const items = scopes.flatMap((each) =>
    (["file", "folder"] as const).map((kind) => ({
      key: `${each} ${kind}`,
      label: t(scopes.length > 1 ? `upload_${kind}_${each}` : `upload_${kind}`),
      onClick: () => {
        setScope(each);
        (kind === "file" ? filePicker : folderPicker).current?.click();
      },
    })),
  );
  return (
    <>
      <input ref={filePicker} type="file" accept=".md,.zip,.skill" hidden onChange={(event) => take(event.target)} />
      <input
        ref={(input) => {
          folderPicker.current = input;
          // React does not know the attribute.
          input?.setAttribute("webkitdirectory", "");
        }}
        type="file"
        hidden
        onChange={(event) => take(event.target)}
      />
      <Dropdown menu={{ items }} trigger={["click"]}>
        <Button icon={<UploadOutlined />} loading={upload.isPending}>
          {t("upload")}
        </Button>
      </Dropdown>
    </>
  );
}
