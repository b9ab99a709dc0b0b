/** The first page is the chat; who only looks is led to what there is. */
import { Navigate } from "react-router";
import { useMe } from "@/api/me";
import { mayUse } from "@/app/account/membersOnly";

export function Home() {
  return <Navigate to={mayUse(useMe(), "/chat") ? "/chat" : "/overview"} replace />;
}
