import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Args } from '../../args.ts'
import { asRecord, type Json, parseJson } from '../../client/json.ts'
import { exitCodes, Failure, unavailable } from '../../failure.ts'
import { locateWorkTree } from '../../git/locate-work-tree.ts'
import type { Program } from '../../hooks/program.ts'
import type { Uninstalled } from '../../hooks/uninstalled.ts'
import type { Terminal } from '../../terminal.ts'
import { installPlugin, uninstallPlugin } from '../opencode/install-plugin.ts'
import { pluginPath } from '../opencode/plugin-file.ts'
import { hookFiles, type Installable, type SettingsAgent } from './hook-files.ts'
import { withHooks, withoutHooks } from './hook-settings.ts'
import { trustNotes } from './trust-notes.ts'

/** Which settings of Claude Code: those that the project shares, the user's own in this project, or for all projects. */
export type SettingsPlace = 'project' | 'local' | 'user'

export function chosenPlace(args: Args): SettingsPlace {
  if (args.flag('user')) return 'user'
  return args.flag('local') ? 'local' : 'project'
}

/** Where the hooks of an agent are. Only Claude Code has more than one place. */
function fileOf(name: SettingsAgent, terminal: Terminal, place: SettingsPlace): string {
  const { path } = hookFiles[name]
  if (name === 'claude' && place === 'user') return userSettings(terminal)
  const file = join(topOf(terminal), path)
  return name === 'claude' && place === 'local' ? localSettings(file) : file
}

function topOf(terminal: Terminal): string {
  const located = locateWorkTree(terminal)
  if ('refusal' in located) throw unavailable(`${located.refusal}, or use --user to install for all your projects.`)
  return located.top
}

function userSettings({ env }: Terminal): string {
  const home = env.HOME ?? env.USERPROFILE
  const directory = env.CLAUDE_CONFIG_DIR ?? (home && join(home, '.claude'))
  if (directory) return join(directory, 'settings.json')
  throw unavailable('HOME is not set.')
}

function localSettings(file: string): string {
  return file.replace(/\.json$/, '.local.json')
}

/** Installs the hooks of an agent. Returns what was done, and what the user has to do. */
export function installAgentHooks(
  name: Installable,
  terminal: Terminal,
  place: SettingsPlace,
  program: Program,
): string[] {
  const { existsTest, command } = program
  const line = `${existsTest} && ${command} hook ${name} || true # headsup`
  const file = name === 'opencode' ? join(topOf(terminal), pluginPath) : fileOf(name, terminal, place)
  const isChanged =
    name === 'opencode'
      ? installPlugin(topOf(terminal), line)
      : rewrite(file, (settings) => withHooks(settings, hookFiles[name], line))
  const done = isChanged ? `${file}: installed.${hint(name, place, program)}` : `${file}: already installed.`
  return [done].concat(trustNotes[name] ?? [])
}

function hint(name: Installable, place: SettingsPlace, { isOnPath }: Program): string {
  if (name === 'claude' && place !== 'project') return ''
  const orLocal = name === 'claude' ? ' or use --local' : ''
  return isOnPath
    ? ` Commit it, and it works for everybody who has headsup.`
    : ` It names this copy of headsup: rather than commit it, put headsup on the PATH${orLocal}.`
}

export function uninstallAgentHooks(name: Installable, terminal: Terminal, place: SettingsPlace): Uninstalled {
  if (name === 'opencode') {
    const top = topOf(terminal)
    return { file: join(top, pluginPath), isChanged: uninstallPlugin(top) }
  }
  const file = fileOf(name, terminal, place)
  return { file, isChanged: existsSync(file) && rewrite(file, withoutHooks) }
}

/** Changes a settings file and keeps its indentation, or removes it where it becomes empty. Returns whether it changed. */
function rewrite(file: string, change: (settings: Json) => Json): boolean {
  const exists = existsSync(file)
  const before = exists ? readFileSync(file, 'utf8') : '{}\n'
  const parsed = parseJson(before.trim() === '' ? '{}' : before)
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new Failure(exitCodes.refused, `${file} is not a JSON object: left as it is.`)
  }
  const settings = asRecord(parsed)
  const after = change(settings)
  if (JSON.stringify(after) === JSON.stringify(settings)) return false
  const indent = /^\{\s*?\n([ \t]+)/.exec(before)?.[1] ?? '  '
  const text = JSON.stringify(after, undefined, indent) + (before.endsWith('\n') || before.trim() === '' ? '\n' : '')
  if (Object.keys(after).length === 0 && !lstatSync(file).isSymbolicLink()) {
    remove(file)
    return true
  }
  mkdirSync(dirname(file), { recursive: true })
  // A link stays a link. The rename is atomic, so nobody reads half a file.
  const real = exists ? realpathSync(file) : file
  const draft = `${real}.${process.pid}`
  writeFileSync(draft, text, { mode: exists ? statSync(real).mode : 0o644 })
  renameSync(draft, real)
  return true
}

/** Removes a file, and the directories of hooks where these are empty then. */
function remove(file: string): void {
  rmSync(file)
  const parts = file.endsWith(join(...hookFiles.copilot.path.split('/'))) ? 2 : 1
  try {
    for (let directory = dirname(file), left = parts; left > 0; left -= 1, directory = dirname(directory))
      rmdirSync(directory)
  } catch {
    // The directory is not empty, or is a link.
  }
}
