/** Words the server sends as codes and several pages show: roles, what happened to a file, whose. */
import { defineTexts, useTexts } from "@/i18n";

export const wordTexts = defineTexts(
  "words",
  {
    role_owner: "owner",
    role_admin: "admin",
    role_member: "member",
    role_viewer: "viewer",
    operation_create: "made",
    operation_write: "written",
    operation_read: "read",
    operation_edit: "changed",
    operation_delete: "deleted",
    scope_tenant: "everybody together",
    scope_project: "the project",
    scope_user: "you",
    scope_read: "read",
    scope_chat: "chat",
    scope_files: "files",
    scope_admin: "admin",
    period_day: "a day",
    period_month: "a month",
    period_run: "a run",
    group_read: "read",
    group_write: "write",
    group_web: "web",
    group_data: "data",
  },
  {
    role_owner: "所有者",
    role_admin: "管理员",
    role_member: "成员",
    role_viewer: "查看者",
    operation_create: "新建",
    operation_write: "写入",
    operation_read: "读取",
    operation_edit: "修改",
    operation_delete: "删除",
    scope_tenant: "所有人合计",
    scope_project: "项目",
    scope_user: "你",
    scope_read: "读取",
    scope_chat: "对话",
    scope_files: "文件",
    scope_admin: "管理",
    period_day: "每天",
    period_month: "每月",
    period_run: "每次运行",
    group_read: "读取",
    group_write: "写入",
    group_web: "网络",
    group_data: "数据",
  },
);

type Kind = "role" | "operation" | "scope" | "period" | "group";

/** Returns the text of a code; a code without a text is shown as it is. */
export function useWords(): (kind: Kind, code: string) => string {
  const t = useTexts(wordTexts);
  return (kind, code) => {
    const key = `${kind}_${code}`;
    return key in wordTexts.en ? t(key as keyof typeof wordTexts.en) : code;
  };
}
