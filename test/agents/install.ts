import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** With the versions that `npm run test:agents` last passed with. `links` is the script of a package that links its program. */
const packages = {
  claude: { name: '@anthropic-ai/claude-code', version: '2.1.332', program: 'claude', links: 'install.cjs' },
  codex: { name: '@openai/codex', version: '0.171.0', program: 'codex' },
  gemini: { name: '@google/gemini-cli', version: '0.61.0', program: 'gemini' },
  copilot: { name: '@github/copilot', version: '1.0.102', program: 'copilot' },
  opencode: { name: 'opencode-ai', version: '1.18.33', program: 'opencode', links: 'postinstall.mjs' },
} as const satisfies Readonly<Record<string, { name: string; version: string; program: string; links?: string }>>

export type AgentName = keyof typeof packages

/** Those that the variable AGENTS names, separated by commas; else all. */
export const chosenAgents = (Object.keys(packages) as AgentName[]).filter(
  (name) => process.env.AGENTS?.split(',').includes(name) ?? true,
)

/** Where the agents are installed, and kept between runs. */
const root = process.env.AGENTS_DIRECTORY ?? join(homedir(), '.cache', 'headsup-agents')

const installed = new Set<AgentName>()

/**
 * Installs the agent with npm where this version is not there yet, and returns its program. Of the scripts of packages it runs only
 * those that link a program.
 */
export function installAgent(agent: AgentName): string {
  const { name, version, program, ...more } = packages[agent]
  const wanted = process.env.AGENTS_VERSION ?? version
  const directory = join(root, agent)
  const ofPackage = join(directory, 'node_modules', name)
  if (!installed.has(agent) && installedVersion(ofPackage) !== wanted) {
    mkdirSync(directory, { recursive: true })
    writeFileSync(join(directory, 'package.json'), '{ "private": true }\n')
    const args = ['install', '--ignore-scripts', '--no-fund', '--no-audit', '--no-save', `${name}@${wanted}`]
    execFileSync('npm', args, { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] })
    if ('links' in more) execFileSync(process.execPath, [join(ofPackage, more.links)], { stdio: 'ignore' })
    console.log(`${name} ${installedVersion(ofPackage)} is installed.`)
  }
  installed.add(agent)
  return join(directory, 'node_modules', '.bin', program)
}

function installedVersion(ofPackage: string): string | undefined {
  const file = join(ofPackage, 'package.json')
  if (!existsSync(file)) return undefined
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string }
  return version
}
