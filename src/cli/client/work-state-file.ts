import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { asRecord, type Json, parseJson, record, textField, textList } from './json.ts'
import { withLock } from './lock-file.ts'

export interface SavedScope {
  areas: string[]
  paths: string[]
}

/** What is remembered of the work on one branch of one work tree. */
export interface SavedWork {
  /** Of the activity; absent once it was finished here. */
  id?: string
  /** `owner/name`; what is remembered of another one counts for nothing. */
  repository: string
  /** As given to `start --base`; gone with the work. */
  base?: string
  /** What was said to be touched, apart from what is changed. */
  declared: SavedScope
  /** Sessions of an agent that are at it; work that a person began has none. */
  sessions: string[]
  /** Whether an agent's session began it. */
  bySession: boolean
}

type Next = (now: SavedWork | undefined) => SavedWork | undefined

export interface WorkState {
  get(branch: string | null): Promise<SavedWork | undefined>
  /**
   * Writes what `next` makes of what is remembered by then, which another process may have changed since `get`; undefined
   * changes nothing. What is remembered afterwards.
   */
  change(branch: string | null, next: Next): Promise<SavedWork | undefined>
  /** That activity has ended, with the base that was chosen for it, and nobody is at it; another one stays. */
  forget(branch: string | null, id: string): Promise<void>
  /** By branch. */
  all(): Promise<[string | null, SavedWork][]>
}

/** What is remembered per work tree and branch, in a file below git's own directory. */
export function openWorkState(directory: string, repository: string): WorkState {
  const file = join(directory, 'work.json')
  const read = async () => record(await readJsonFile(file), 'branches')
  const find = (branches: Json, branch: string | null) => {
    const work = readWork(record(branches, key(branch)))
    return isOf(work, repository) ? work : undefined
  }
  const change: WorkState['change'] = async (branch, next) => {
    await mkdir(directory, { recursive: true })
    return withLock(`${file}.lock`, async () => {
      const branches = await read()
      const now = find(branches, branch)
      const work = next(now)
      if (work) await writeJsonFile(file, { branches: { ...branches, [key(branch)]: work } })
      return work ?? now
    })
  }
  return {
    change,
    async get(branch) {
      return find(await read(), branch)
    },
    async all() {
      const works = Object.entries(await read()).map(([name, work]): [string | null, SavedWork] => [
        name === key(null) ? null : name,
        readWork(asRecord(work)),
      ])
      return works.filter(([, work]) => isOf(work, repository))
    },
    async forget(branch, id) {
      await change(branch, (now) => {
        if (now?.id !== id) return undefined
        const { id: _, base: __, ...rest } = now
        return { ...rest, sessions: [] }
      })
    },
  }
}

function isOf(work: SavedWork, repository: string): boolean {
  return work.repository.toLowerCase() === repository.toLowerCase()
}

/** No branch can have this name. */
function key(branch: string | null): string {
  return branch ?? '(no branch)'
}

function readWork(from: Json): SavedWork {
  const declared = record(from, 'declared')
  const id = textField(from, 'id')
  const base = textField(from, 'base')
  return {
    ...(id !== undefined && { id }),
    repository: textField(from, 'repository') ?? '',
    ...(base !== undefined && { base }),
    declared: { areas: textList(declared, 'areas'), paths: textList(declared, 'paths') },
    sessions: textList(from, 'sessions'),
    bySession: from.bySession === true,
  }
}

/** An absent or broken file reads as empty: what is remembered is a convenience. */
export async function readJsonFile(file: string): Promise<Json> {
  return asRecord(parseJson(await readFile(file, 'utf8').catch(() => '')))
}

/** Written whole or not at all: hooks run side by side. */
export async function writeJsonFile(file: string, value: unknown): Promise<void> {
  const draft = `${file}.${process.pid}`
  await mkdir(join(file, '..'), { recursive: true })
  await writeFile(draft, `${JSON.stringify(value, undefined, 2)}\n`)
  await rename(draft, file)
}
