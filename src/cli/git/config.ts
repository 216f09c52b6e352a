import { Failure } from '../terminal.ts'
import { type Git, splitNul } from './git.ts'

/** Settings of git. The section and the last part of a key are in lower case. */
export interface GitConfig {
  /** The last value of a key. */
  get(key: string): string | undefined
  /** The last value of a key in the settings of the user alone. */
  getGlobal(key: string): string | undefined
  remotes: readonly Remote[]
  /** The names of all content filters. */
  filters: readonly string[]
  objectFormat: ObjectFormat
}

/** How the ids of objects are made. */
export type ObjectFormat = 'sha1' | 'sha256'

export interface Remote {
  name: string
  /** What git fetches from. */
  url: string
  /** What `gh repo set-default` chose: `base` for this remote, or OWNER/NAME. */
  chosen: string | undefined
}

interface Entry {
  scope: string
  key: string
  value: string
}

/**
 * Reads all settings by one call of git. It shows the settings that Headsup gives git by variables too, which git knows from 2.31
 * on: an older one would ignore them, and run the filters and hooks of a clone.
 */
export async function readConfig(git: Git): Promise<GitConfig> {
  const entries = parseEntries((await git(['config', '--list', '-z', '--show-scope', '--includes'])).stdout)
  if (entries.some(({ scope, key }) => scope === 'command' && key === 'core.hookspath')) return configOf(entries)
  throw new Failure('git cannot read its settings: run `git config --list` to see why. git 2.31 or newer is needed.')
}

/** With `-z`: the scope, then the key and its value with a line feed between them. */
export function parseEntries(output: string): Entry[] {
  const parts = splitNul(output)
  return parts.flatMap((scope, at) => {
    const [key = '', ...value] = parts[at + 1]?.split('\n') ?? []
    // A key without a value is a true boolean.
    return at % 2 === 0 ? [{ scope, key, value: value.join('\n') }] : []
  })
}

export function configOf(entries: readonly Entry[]): GitConfig {
  const last = (key: string, scope?: string) =>
    entries.findLast((entry) => entry.key === key && (scope === undefined || entry.scope === scope))?.value
  const filters = entries.flatMap(({ key }) => /^filter\.(.+)\.[^.]+$/s.exec(key)?.[1] ?? [])
  return {
    get: (key) => last(key),
    getGlobal: (key) => last(key, 'global'),
    remotes: remotesOf(entries),
    filters: [...new Set(filters)],
    objectFormat: last('extensions.objectformat') === 'sha256' ? 'sha256' : 'sha1',
  }
}

function remotesOf(entries: readonly Entry[]): Remote[] {
  const remotes = new Map<string, Remote>()
  for (const { key, value } of entries) {
    const name = /^remote\.(.+)\.url$/s.exec(key)?.[1]
    if (name === undefined || remotes.has(name)) continue
    const chosen = entries.findLast((entry) => entry.key === `remote.${name}.gh-resolved`)?.value
    remotes.set(name, { name, url: withoutAlias(value, entries), chosen })
  }
  return [...remotes.values()]
}

/** The URL behind the longest `url.….insteadOf` that it begins with. */
function withoutAlias(url: string, entries: readonly Entry[]): string {
  const aliases = entries.flatMap(({ key, value: short }) => {
    const long = /^url\.(.+)\.insteadof$/s.exec(key)?.[1]
    return long !== undefined && short !== '' && url.startsWith(short) ? [{ long, short }] : []
  })
  const [longest] = aliases.sort((a, b) => b.short.length - a.short.length)
  return longest ? longest.long + url.slice(longest.short.length) : url
}
