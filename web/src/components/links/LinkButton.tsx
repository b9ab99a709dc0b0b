/** A button that links to a page: one link, one tab stop; nothing for a user who can do nothing there. */
import { Button, type ButtonProps } from "antd";
import type { MouseEvent } from "react";
import { useHref, useLinkClickHandler } from "react-router";
import { useMe } from "@/api/me";
import { mayUse } from "@/app/account/membersOnly";

interface Props extends Omit<ButtonProps, "href" | "onClick"> {
  to: string;
}

export function LinkButton({ to, ...props }: Props) {
  const follow = useLinkClickHandler<HTMLAnchorElement>(to);
  const href = useHref(to);
  if (!mayUse(useMe(), to)) return null;
  return (
    <Button
      {...props}
      href={href}
      onClick={(event) => follow(event as MouseEvent<HTMLAnchorElement>)}
    />
  );
}
