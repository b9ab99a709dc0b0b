/** The text a new skill begins with. */
export const template = (name: string): string => `---
name: ${name}
description: What it does, and when to use it. The agent chooses by this sentence.
metadata:
  triggers: '["a phrase people say", "用户会说的话"]'
---

# ${name}

1. First step.
2. Second step.
`;
