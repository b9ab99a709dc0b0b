import { Form, Input, Select } from "antd";
import { useMe } from "@/api/me";
import type { Member } from "@/api/members";
import { FormDialog } from "@/components/forms/FormDialog";
import { useTexts } from "@/i18n";
import { useMemberActions } from "@/pages/members/queries";
import { rolesFor, type Role } from "@/pages/members/roles";
import { texts } from "@/pages/members/texts";

interface Fields {
  username: string;
  display_name?: string;
  role: Role;
  password?: string;
}

interface Props {
  close: () => void;
  /** Somebody without a password needs a sign-in address. */
  added: (member: Member) => void;
}

export function AddMember({ close, added }: Props) {
  const t = useTexts(texts);
  const me = useMe();
  const { add } = useMemberActions();
  const submit = async ({ username, display_name, role, password }: Fields) =>
    added(
      await add.mutateAsync({
        username,
        role,
        display_name: display_name || null,
        password: password || null,
      }),
    );
  return (
    <FormDialog<Fields>
      title={t("add")}
      okText={t("add")}
      initialValues={{ role: "member" }}
      submit={submit}
      close={close}
    >
      <Form.Item
        name="username"
        label={t("username")}
        extra={t("username_hint")}
        rules={[{ required: true, whitespace: true, message: t("required") }]}
      >
        <Input autoFocus autoComplete="off" spellCheck={false} maxLength={128} />
      </Form.Item>
      <Form.Item name="display_name" label={t("display_name")}>
        <Input autoComplete="off" maxLength={200} />
      </Form.Item>
      <Form.Item name="role" label={t("role")} rules={[{ required: true }]}>
        <Select options={rolesFor(me.role).map((role) => ({ value: role, label: t(`role_${role}`) }))} />
      </Form.Item>
      <Form.Item name="password" label={t("password")} extra={t("password_hint")}>
        <Input.Password autoComplete="new-password" />
      </Form.Item>
    </FormDialog>
  );
}
