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
import type { Terminal } from '../../terminal.ts'
import { withHooks, withoutHooks } from './claude-settings.ts'

/** The project's settings, with `--local` the user's own settings in it, with `--user` the user's settings everywhere. */
function settingsFile(terminal: Terminal, args: Args): string {
  if (args.flag('user')) {
    const { env } = terminal
    const home = env.HOME ?? env.USERPROFILE
    const directory = env.CLAUDE_CONFIG_DIR ?? (home && join(home, '.claude'))
    if (directory) return join(directory, 'settings.json')
    throw unavailable('HOME is not set.')
  }
  const located = locateWorkTree(terminal)
  if ('refusal' in located) throw unavailable(`${located.refusal}, or use --user to install for all your projects.`)
  return join(located.top, '.claude', args.flag('local') ? 'settings.local.json' : 'settings.json')
}

export function installClaudeHooks(terminal: Terminal, args: Args, program: Program): string[] {
  const { existsTest, command } = program
  const file = settingsFile(terminal, args)
  const changed = rewrite(file, (settings) =>
    withHooks(settings, `${existsTest} && ${command} hook claude || true # headsup`),
  )
  if (!changed) return [`${file}: already installed.`]
  return [`${file}: installed.${args.flag('local') || args.flag('user') ? '' : ` ${sharingHint(program)}`}`]
}

function sharingHint({ isOnPath }: Program): string {
  return isOnPath
    ? 'Commit it, and it works for everybody who has headsup.'
    : 'It names this copy of headsup: rather than commit it, put headsup on the PATH or use --local.'
}

export function uninstallClaudeHooks(terminal: Terminal, args: Args): string[] {
  const file = settingsFile(terminal, args)
  const changed = existsSync(file) && rewrite(file, withoutHooks)
  return [`${file}: ${changed ? 'uninstalled' : 'not installed'}.`]
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

/** Removes a file, and its directory where that is empty then. */
function remove(file: string): void {
  rmSync(file)
  try {
    rmdirSync(dirname(file))
  } catch {
    // The directory is not empty, or is a link.
  }
}
