import { MoreOutlined } from "@ant-design/icons";
import { Button, Dropdown, Select, Table, Tag } from "antd";
import { useMe } from "@/api/me";
import { nameOf, type Member } from "@/api/members";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { formatTime } from "@/i18n/format";
import { useWords } from "@/i18n/words.texts";
import { useMemberActions } from "@/pages/members/queries";
import { isAbove, rolesFor } from "@/pages/members/roles";
import { texts } from "@/pages/members/texts";

export type Deed = "make_url" | "reset" | "rename" | "remove";

interface Props {
  members: Member[];
  begin: (deed: Deed, member: Member) => void;
}

export function MemberTable({ members, begin }: Props) {
  const t = useTexts(texts);
  const word = useWords();
  const me = useMe();
  const { changeRole } = useMemberActions();
  // Another tenant administers those who are not at home here.
  const deeds = (member: Member): Deed[] =>
    member.at_home ? ["make_url", "reset", "rename", "remove"] : ["remove"];
  return (
    <>
      {changeRole.error && <ErrorNotice error={changeRole.error} />}
      <Table<Member>
        rowKey="user_id"
        dataSource={members}
        pagination={members.length > 50 ? { pageSize: 50 } : false}
        scroll={{ x: "max-content" }}
        columns={[
          {
            title: t("name"),
            render: (_, member) => (
              <>
                {nameOf(member)} {member.user_id === me.user_id && <Tag>{t("you")}</Tag>}
                {!member.at_home && <Tag>{t("elsewhere")}</Tag>}
              </>
            ),
          },
          { title: t("username"), dataIndex: "username" },
          {
            title: t("role"),
            render: (_, member) =>
              isAbove(member.role, me.role) || member.user_id === me.user_id ? (
                word("role", member.role)
              ) : (
                <Select
                  size="small"
                  aria-label={t("role_of", { name: nameOf(member) })}
                  value={member.role}
                  style={{ minWidth: 110 }}
                  popupMatchSelectWidth={false}
                  onChange={(role) => changeRole.mutate({ userId: member.user_id, role })}
                  labelRender={({ value }) => word("role", String(value))}
                  options={rolesFor(me.role).map((role) => ({
                    value: role,
                    label: t(`role_${role}`),
                  }))}
                />
              ),
          },
          {
            title: t("signs_in"),
            render: (_, member) => t(member.has_password ? "by_password" : "by_address"),
          },
          { title: t("joined"), render: (_, member) => formatTime(member.created_at) },
          {
            title: <span className="visually-hidden">{t("more", { name: "" })}</span>,
            render: (_, member) =>
              !isAbove(member.role, me.role) && (
                <Dropdown
                  trigger={["click"]}
                  menu={{
                    items: deeds(member).map((deed) => ({
                      key: deed,
                      label: t(deed),
                      danger: deed === "remove",
                      onClick: () => begin(deed, member),
                    })),
                  }}
                >
                  <Button
                    type="text"
                    icon={<MoreOutlined />}
                    aria-label={t("more", { name: nameOf(member) })}
                  />
                </Dropdown>
              ),
          },
        ]}
      />
    </>
  );
}
