/** The GitHub accounts of coding agents, in lower case and without `[bot]`. A pull request of one of them names it as its agent. */
const codingAgents: ReadonlySet<string> = new Set([
  'amazon-q-developer',
  'anthropic-claude',
  'blackboxai',
  'chatgpt-codex-connector',
  'claude',
  'claude-code',
  'codegen-sh',
  'codex',
  'copilot',
  'copilot-swe-agent',
  'cosine-genie',
  'cursor',
  'cursoragent',
  'devin-ai-integration',
  'factory-droid',
  'gemini-code-assist',
  'github-copilot',
  'google-labs-jules',
  'jules',
  'openai-codex',
  'opencode-agent',
  'openhands-agent',
  'openhands-ai',
  'roomote',
  'sourcegraph-amp',
  'sweep-ai',
  'windsurf-bot',
])

/** The login if it is that of a known coding agent, with or without `[bot]`; else null. */
export function codingAgent(login: string): string | null {
  return codingAgents.has(login.toLowerCase().replace(/\[bot\]$/, '')) ? login : null
}
