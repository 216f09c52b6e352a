export interface AgentPackage {
  name: string
  version: string
  program: string
  /** The script of the package that links its program. */
  links?: string
}

/** The packages of the agents in npm, and the versions with which `npm run test:agents` last passed (docs/agents.md). */
export const packages = {
  claude: { name: '@anthropic-ai/claude-code', version: '2.1.332', program: 'claude', links: 'install.cjs' },
  codex: { name: '@openai/codex', version: '0.171.0', program: 'codex' },
  gemini: { name: '@google/gemini-cli', version: '0.61.0', program: 'gemini' },
  copilot: { name: '@github/copilot', version: '1.0.102', program: 'copilot' },
  opencode: { name: 'opencode-ai', version: '1.18.33', program: 'opencode', links: 'postinstall.mjs' },
} as const satisfies Record<string, AgentPackage>

export type AgentName = keyof typeof packages

/** Those that the variable AGENTS names, separated by commas; else all. */
export const chosenAgents = (Object.keys(packages) as AgentName[]).filter(
  (name) => process.env.AGENTS?.split(',').includes(name) ?? true,
)
