/** Whose things a page shows: for admins, where there is more than one person to choose. */
import { Select } from "antd";
import { isAdmin, useMe } from "@/api/me";
import { nameOf } from "@/api/members";
import { usePeople } from "@/api/names";

interface Props {
  label: string;
  value: string;
  onChange: (userId: string) => void;
  /** What the choice of oneself reads, where a name would not say it. */
  mine?: string;
}

export function PersonPicker({ label, value, onChange, mine }: Props) {
  const me = useMe();
  const people = usePeople(isAdmin(me));
  if ((people.data?.length ?? 0) < 2) return null;
  return (
    <Select
      aria-label={label}
      showSearch={{ optionFilterProp: "label" }}
      value={value}
      onChange={onChange}
      style={{ minWidth: 160 }}
      options={people.data?.map((each) => ({
        value: each.user_id,
        label: (each.user_id === me.user_id && mine) || nameOf(each),
      }))}
    />
  );
}
