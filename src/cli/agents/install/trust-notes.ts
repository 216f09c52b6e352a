import type { Installable } from './hook-files.ts'

/** What the user has to do before an agent runs installed hooks. Until then it runs none, without a word. */
export const trustNotes: Readonly<Partial<Record<Installable, string>>> = {
  codex:
    'Codex runs them only in a trusted folder, and only once you have agreed: start `codex` here, trust the folder, and at “Hooks need review” choose “Trust all and continue”. It asks again when the hooks change.',
  gemini:
    'Gemini CLI runs them only in a trusted folder: start `gemini` here, and answer “Do you trust the files in this folder?” with “Trust folder”. Without a terminal set GEMINI_CLI_TRUST_WORKSPACE=true; --skip-trust is not enough.',
  copilot:
    'Copilot CLI runs them only in a trusted folder: start `copilot` here, and trust the folder when it asks. Without a terminal give it --trust-folder.',
}
