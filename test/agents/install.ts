import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type AgentName, type AgentPackage, packages } from './versions.ts'

/** Where the agents are installed, and kept between runs. */
const root = process.env.AGENTS_DIRECTORY ?? join(homedir(), '.cache', 'headsup-agents')

/** `latest` tests the newest versions instead of those in `versions.ts`. */
const wanted = process.env.AGENTS_VERSION

export interface InstalledAgent {
  program: string
  version: string
}

/** Installs the agent with npm where this version is not there yet. Of the scripts of packages it runs only those that link a program. */
export function installAgent(agent: AgentName): InstalledAgent {
  const known = installed.get(agent) ?? install(agent)
  installed.set(agent, known)
  return known
}

const installed = new Map<AgentName, InstalledAgent>()

function install(agent: AgentName): InstalledAgent {
  const { name, version, program, links }: AgentPackage = packages[agent]
  const directory = join(root, agent)
  if (installedVersion(directory, name) !== version || wanted !== undefined) {
    mkdirSync(directory, { recursive: true })
    writeFileSync(join(directory, 'package.json'), '{ "private": true }\n')
    const args = ['install', '--ignore-scripts', '--no-fund', '--no-audit', '--no-save', `${name}@${wanted ?? version}`]
    execFileSync('npm', args, { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] })
    if (links !== undefined)
      execFileSync(process.execPath, [join(directory, 'node_modules', name, links)], { stdio: 'ignore' })
  }
  const found = installedVersion(directory, name)
  if (found === undefined) throw new Error(`npm did not install ${name}.`)
  return { program: join(directory, 'node_modules', '.bin', program), version: found }
}

function installedVersion(directory: string, name: string): string | undefined {
  const file = join(directory, 'node_modules', name, 'package.json')
  return existsSync(file) ? String(JSON.parse(readFileSync(file, 'utf8')).version) : undefined
}
