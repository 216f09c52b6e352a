import { createHash, randomUUID } from 'node:crypto'
import { accessSync, constants, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { NewActivity } from './api.ts'
import type { Place } from './git/find-top.ts'
import type { Terminal } from './terminal.ts'

/** What a work tree keeps between commands. */
export interface State {
  /** Another version of this program may have kept something else. */
  form: 3
  /** The records that this work tree made, the last one last. */
  records: KeptRecord[]
  /** A create that got no answer: whether it made a record is not known. */
  unanswered: UnansweredCreate | null
  repositoryFacts: KeptFacts[]
  hooks: HookState
}

export interface KeptRecord {
  /** `owner/name`, in lower case. */
  repository: string
  /** Null for a detached head. */
  branch: string | null
  id: string
}

export interface UnansweredCreate {
  repository: string
  branch: string | null
  /** The service makes one record for the same key and body. */
  key: string
  /** When it was sent. */
  at: number
  body: NewActivity
}

/** What the service says of a repository, and of itself. */
export interface KeptFacts {
  service: string
  githubServerUrl: string
  repository: string
  defaultBranch: string
  parent: string | null
  isPublic: boolean
  readAt: number
}

export interface HookState {
  /** A digest of what was sent last, and when. */
  lastSent: { digest: string; at: number } | null
  /** Until when the service is not asked, since it was away. */
  awayUntil: number
  /** The ids of what each session was told; the newest session last. */
  told: [session: string, ids: string[]][]
}

const nothing: State = {
  ...{ form: 3, records: [], unanswered: null, repositoryFacts: [] },
  hooks: { lastSent: null, awayUntil: 0, told: [] },
}

export interface StateFile {
  /** Undefined where nothing can be written: then what is updated lives as long as the process. */
  readonly directory: string | undefined
  read(): State
  update(change: (state: State) => State): void
}

/**
 * In the git directory of the work tree. Where that can't be written, or there is none, in the user's cache, by the path of the work
 * tree or of the working directory: the work of one agent must not count as that of another one on this machine.
 */
export function openState(place: Place | undefined, { env, cwd }: Pick<Terminal, 'env' | 'cwd'>): StateFile {
  const ofGit = place ? [join(place.gitDirectory, 'headsup')] : []
  const candidates = [...ofGit, cacheOf(place?.top ?? cwd, env)]
  const directory = candidates.find(canWrite)
  let inMemory = nothing
  const read = () => (directory === undefined ? inMemory : readState(join(directory, fileName)))
  return {
    directory,
    read,
    update(change) {
      inMemory = change(read())
      if (directory !== undefined) writeState(join(directory, fileName), inMemory)
    },
  }
}

const fileName = 'state.json'

function writeState(file: string, state: State): void {
  // A name that nobody knows: a clone can hold a link of a name that is known.
  const draft = `${file}.${randomUUID()}`
  try {
    writeFileSync(draft, `${JSON.stringify(state)}\n`, { mode: 0o600 })
    renameSync(draft, file)
  } catch {
    // The disk is full: what is not kept is found out anew.
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

/** A file that is empty, cut off or of another form counts as absent. */
function readState(file: string): State {
  try {
    const found = JSON.parse(readFileSync(file, 'utf8')) as State | null
    return found?.form === nothing.form ? found : nothing
  } catch {
    return nothing
  }
}
