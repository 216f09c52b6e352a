import { createHash } from 'node:crypto'
import { accessSync, constants, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Place } from './git/find-top.ts'
import type { Terminal } from './terminal.ts'

/** What a work tree keeps between commands. Everything can be absent. */
export interface State {
  /** The records that this work tree made, the last one last. */
  records: KeptRecord[]
  services: KeptService[]
  settings: KeptSettings[]
  /** What hooks keep; see agents/. */
  hooks?: unknown
}

export interface KeptRecord {
  /** `owner/name`, in lower case. */
  repository: string
  /** Null for a detached head. */
  branch: string | null
  id: string
}

/** What a service says of itself. */
export interface KeptService {
  url: string
  githubServerUrl: string
  readAt: number
}

/** What the service says of a repository. */
export interface KeptSettings {
  service: string
  repository: string
  defaultBranch: string
  parent: string | null
  isPublic: boolean
  readAt: number
}

export interface StateFile {
  /** Undefined where nothing can be written: then what is updated lives as long as the process. */
  readonly directory: string | undefined
  read(): State
  update(change: (state: State) => State): void
}

/** In the git directory of the work tree; where that can't be written, in the user's cache. */
export function openState(place: Place | undefined, { env }: Pick<Terminal, 'env'>): StateFile {
  const directory = place && [join(place.gitDirectory, 'headsup'), cacheOf(place.top, env)].find(canWrite)
  let inMemory: State = { records: [], services: [], settings: [] }
  if (directory === undefined) {
    return {
      directory,
      read: () => inMemory,
      update: (change) => {
        inMemory = change(inMemory)
      },
    }
  }
  const file = join(directory, 'state.json')
  return {
    directory,
    read: () => readState(file),
    update(change) {
      const state = change(readState(file))
      const draft = `${file}.${process.pid}`
      try {
        writeFileSync(draft, `${JSON.stringify(state)}\n`, { mode: 0o600 })
        renameSync(draft, file)
      } catch {
        // The disk is full: what is not kept is found out anew.
      }
    },
  }
}

function cacheOf(top: string, env: NodeJS.ProcessEnv): string {
  const cache = env.XDG_CACHE_HOME || env.LOCALAPPDATA || join(env.HOME || homedir(), '.cache')
  return join(cache, 'headsup', createHash('sha256').update(top).digest('hex').slice(0, 32))
}

function canWrite(directory: string): boolean {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    accessSync(directory, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** A file that is empty, cut off or of another shape counts as absent. */
function readState(file: string): State {
  let found: unknown
  try {
    found = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    found = undefined
  }
  const state: Record<string, unknown> = isObject(found) ? { ...found } : {}
  return {
    records: itemsOf(state.records, isRecord),
    services: itemsOf(state.services, isService),
    settings: itemsOf(state.settings, isSettings),
    ...(state.hooks !== undefined && { hooks: state.hooks }),
  }
}

function itemsOf<Item>(list: unknown, is: (item: unknown) => item is Item): Item[] {
  return Array.isArray(list) ? list.filter(is) : []
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const hasTexts = (value: unknown, ...keys: string[]): value is Record<string, unknown> =>
  isObject(value) && keys.every((key) => typeof value[key] === 'string')
const isTextOrNull = (value: unknown) => value === null || typeof value === 'string'

const isRecord = (item: unknown): item is KeptRecord => hasTexts(item, 'repository', 'id') && isTextOrNull(item.branch)
const isService = (item: unknown): item is KeptService =>
  hasTexts(item, 'url', 'githubServerUrl') && typeof item.readAt === 'number'
const isSettings = (item: unknown): item is KeptSettings =>
  hasTexts(item, 'service', 'repository', 'defaultBranch') &&
  isTextOrNull(item.parent) &&
  typeof item.isPublic === 'boolean' &&
  typeof item.readAt === 'number'
