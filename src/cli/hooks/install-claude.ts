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
import type { Args } from '../args.ts'
import { asRecord, type Json, parseJson } from '../client/json.ts'
import { couldNotAsk, exitCodes, Failure } from '../failure.ts'
import { locateWorkTree } from '../git/locate-work-tree.ts'
import type { Terminal } from '../terminal.ts'
import { withHooks, withoutHooks } from './claude-settings.ts'
import type { Program } from './git-hook-script.ts'

/** Which settings: the project's, or with `--local` yours in it, or with `--user` yours everywhere. */
function settingsFile(terminal: Terminal, args: Args): string {
  if (args.flag('user')) {
    const { env } = terminal
    const home = env.HOME ?? env.USERPROFILE
    const directory = env.CLAUDE_CONFIG_DIR ?? (home && join(home, '.claude'))
    if (directory) return join(directory, 'settings.json')
    throw couldNotAsk('There is no HOME here.')
  }
  const located = locateWorkTree(terminal)
  if ('refusal' in located) throw couldNotAsk(`${located.refusal}, or install for yourself by --user.`)
  return join(located.top, '.claude', args.flag('local') ? 'settings.local.json' : 'settings.json')
}

export function installClaude(terminal: Terminal, args: Args, program: Program): string[] {
  const { isThere, call } = program
  const file = settingsFile(terminal, args)
  const changed = rewrite(file, (settings) =>
    withHooks(settings, `${isThere} && ${call} hook claude || true # headsup`),
  )
  if (!changed) return [`${file}: is installed already.`]
  return [`${file}: installed.${args.flag('local') || args.flag('user') ? '' : ` ${sharing(program)}`}`]
}

/** The project's settings are meant to be committed. */
function sharing({ isOnPath }: Program): string {
  return isOnPath
    ? 'Commit it, and it works for all who have headsup.'
    : 'It names this very copy of headsup: rather than commit it, put headsup on the PATH or install by --local.'
}

export function uninstallClaude(terminal: Terminal, args: Args): string[] {
  const file = settingsFile(terminal, args)
  const changed = existsSync(file) && rewrite(file, withoutHooks)
  return [`${file}: ${changed ? 'uninstalled' : 'is not installed'}.`]
}

/** Reads, changes and writes settings, in the manner they are written in, or removes those that come to nothing; false where nothing changes. */
function rewrite(file: string, change: (settings: Json) => Json): boolean {
  const isThere = existsSync(file)
  const before = isThere ? readFileSync(file, 'utf8') : '{}\n'
  const parsed = parseJson(before.trim() === '' ? '{}' : before)
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new Failure(exitCodes.refused, `${file} is not the JSON of an object: left as it is.`)
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
  // A link stays a link, and nobody reads half a file.
  const real = isThere ? realpathSync(file) : file
  const draft = `${real}.${process.pid}`
  writeFileSync(draft, text, { mode: isThere ? statSync(real).mode : 0o644 })
  renameSync(draft, real)
  return true
}

/** A file, and its directory where nothing else is in that. */
function remove(file: string): void {
  rmSync(file)
  try {
    rmdirSync(dirname(file))
  } catch {
    // It has more in it, or is a link.
  }
}
