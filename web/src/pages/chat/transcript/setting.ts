/** What every row needs to know of where it stands. */
import { createContext, useContext } from "react";

export interface TranscriptActions {
  fork?: (messageId: string) => void;
  edit?: (messageId: string, text: string) => void;
  retry?: (messageId: string) => void;
  rewind?: (messageId: string) => void;
}

export interface Setting {
  sessionId: string;
  /** Whether the person may answer what the agent asks. */
  canAnswer: boolean;
  /** The run that is going on: what is unfinished in others was stopped. */
  activeRunId: string | null;
  actions: TranscriptActions;
}

export const SettingContext = createContext<Setting>({
  sessionId: "",
  canAnswer: false,
  activeRunId: null,
  actions: {},
});

export const useSetting = (): Setting => useContext(SettingContext);
