/** A button that leads to a page: one link, hence one tab stop. */
import { Button, type ButtonProps } from "antd";
import type { MouseEvent } from "react";
import { useHref, useLinkClickHandler } from "react-router";

interface Props extends Omit<ButtonProps, "href" | "onClick"> {
  to: string;
}

export function LinkButton({ to, ...props }: Props) {
  const follow = useLinkClickHandler<HTMLAnchorElement>(to);
  return (
    <Button
      {...props}
      href={useHref(to)}
      onClick={(event) => follow(event as MouseEvent<HTMLAnchorElement>)}
    />
  );
}
