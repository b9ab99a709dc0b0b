/** The transcript is not needed to ask a first question: it is fetched while that is typed. */
import { lazy } from "react";

const FIRST_PAINT_MS = 1000;
const load = () => import("@/pages/chat/transcript/Transcript");

export const Transcript = lazy(load);
setTimeout(() => void load(), FIRST_PAINT_MS);
