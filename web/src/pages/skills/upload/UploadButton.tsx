/** Takes a SKILL.md, a ZIP or a whole folder and makes a skill of it. */
import { UploadOutlined } from "@ant-design/icons";
import { App, Button, Dropdown } from "antd";
import { useRef, useState } from "react";
import { useNavigate } from "react-router";
import { ApiError, messageOf } from "@/api/errors";
import { useMayChange } from "@/api/ownership";
import { usePreferences } from "@/app/state/preferences";
import { useTexts } from "@/i18n";
import { useSkillActions, type Place } from "@/pages/skills/queries";
import { texts } from "@/pages/skills/texts";
import { isWanted } from "@/pages/skills/upload/folder";

export function UploadButton() {
  const t = useTexts(texts);
  const { message, modal } = App.useApp();
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
    if (files.length > 0) send(files, false);
  };
  const send = (files: readonly File[], replace: boolean) =>
    upload.mutate(
      { files, scope, project_id: projectId, replace },
      {
        onSuccess: (skill) => {
          void message.success(t("uploaded", { name: skill.name }));
          void navigate(`/skills/${encodeURIComponent(skill.id)}`);
        },
        onError: (error) => {
          if (error instanceof ApiError && error.code === "CONFLICT" && !replace) askToReplace(files);
          else void modal.error({ title: t("upload_failed"), content: messageOf(error), okText: t("close") });
        },
      },
    );
  const askToReplace = (files: readonly File[]) =>
    void modal.confirm({
      title: t("replace_ask"),
      content: t("replace_hint"),
      okText: t("replace"),
      cancelText: t("cancel"),
      onOk: () => send(files, true),
    });
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
