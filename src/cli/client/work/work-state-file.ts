import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { asRecord, type Json, numberList, parseJson, record, textField, textList } from '../json.ts'
import { withLock } from './lock-file.ts'

export interface SavedScope {
  areas: string[]
  paths: string[]
}

/** The saved work of one branch in one work tree. */
export interface SavedWork {
  /** The id of the activity; absent once that was finished here. */
  id?: string
  /** `owner/name`. Work of another repository is ignored. */
  repository: string
  /** The value of `start --base`; removed when the work ends. */
  base?: string
  /** The scope that was named, without the changed files. */
  declared: SavedScope
  /** The issues that were named by `--issue` or `--no-issue`; absent without such a flag. */
  issues?: number[]
  /** Ids of the agent sessions that take part in the work. */
  sessions: string[]
  /** Whether an agent session created the activity. */
  bySession: boolean
}

type Change = (now: SavedWork | undefined) => SavedWork | undefined

export interface WorkState {
  get(branch: string | null): Promise<SavedWork | undefined>
  /**
   * Saves the result of `change`, which gets the work as it is saved now: another process may have changed it since
   * `get`. An undefined result changes nothing. Resolves with the work that is saved afterwards.
   */
  change(branch: string | null, change: Change): Promise<SavedWork | undefined>
  /** Removes the id, the base, the issues and the sessions of work that has ended. Does nothing where the saved activity is another one. */
  forget(branch: string | null, id: string): Promise<void>
  /** All saved work of the repository, by branch. */
  all(): Promise<[string | null, SavedWork][]>
}

/** Opens the state file of a work tree, in a directory below git's own. */
export function openWorkState(directory: string, repository: string): WorkState {
  const file = join(directory, 'work.json')
  const read = async () => record(await readJsonFile(file), 'branches')
  const find = (branches: Json, branch: string | null) => {
    const work = readWork(record(branches, key(branch)))
    return isOf(work, repository) ? work : undefined
  }
  const save: WorkState['change'] = async (branch, change) => {
    await mkdir(directory, { recursive: true })
    return withLock(`${file}.lock`, async () => {
      const branches = await read()
      const now = find(branches, branch)
      const work = change(now)
      if (work) await writeJsonFile(file, { branches: { ...branches, [key(branch)]: work } })
      return work ?? now
    })
  }
  return {
    change: save,
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
      await save(branch, (now) => {
        if (now?.id !== id) return undefined
        const { id: _, base: __, issues: ___, ...rest } = now
        return { ...rest, sessions: [] }
      })
    },
  }
}

function isOf(work: SavedWork, repository: string): boolean {
  return work.repository.toLowerCase() === repository.toLowerCase()
}

/** The key of a detached head is a name that no branch can have. */
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
    ...(from.issues !== undefined && { issues: numberList(from, 'issues') }),
    sessions: textList(from, 'sessions'),
    bySession: from.bySession === true,
  }
}

/** An absent or broken file reads as empty: saved state is a convenience. */
export async function readJsonFile(file: string): Promise<Json> {
  return asRecord(parseJson(await readFile(file, 'utf8').catch(() => '')))
}

/** Writes a file atomically, since hooks run concurrently. */
export async function writeJsonFile(file: string, value: unknown): Promise<void> {
  const draft = `${file}.${process.pid}`
  await mkdir(join(file, '..'), { recursive: true })
  await writeFile(draft, `${JSON.stringify(value, undefined, 2)}\n`)
  await rename(draft, file)
}
