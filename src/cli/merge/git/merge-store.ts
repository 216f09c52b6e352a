import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { NotTried } from '../merge-result.ts'
import type { Guards } from './guards.ts'
import type { Clone } from './read-clone.ts'

/**
 * A bare repository in the temporary folder, which sees the objects of the clone. All that is fetched, written and merged
 * lies here, and is removed with it.
 */
export interface MergeStore {
  directory: string
  objects: string
  index: string
  /** Writes a commit, without a process. */
  commit(tree: string, parents: readonly string[]): string
  /** Names commits that the server need not send. */
  nameCommits(ids: readonly string[]): void
  /** The commit of a ref of `refs/headsup/`. */
  fetched(name: string): string | undefined
  /** How many bytes were fetched. */
  packBytes(): number
  remove(): void
}

const prefix = 'headsup-merge-'
/** A process id is used again some time after its process has ended. */
const staleMs = 3_600_000

export function createStore(temporary: string, clone: Clone, { attributes }: Guards): MergeStore {
  const directory = createTemporary(temporary)
  const at = (...names: string[]) => join(directory, ...names)
  const { objectFormat, objects } = clone
  for (const name of ['objects/info', 'objects/pack', 'refs', 'info']) mkdirSync(at(name), { recursive: true })
  writeFileSync(at('HEAD'), 'ref: refs/heads/none\n')
  writeFileSync(at('config'), configOf(objectFormat))
  writeFileSync(at('info/attributes'), attributes)
  writeFileSync(at('objects/info/alternates'), `${alternatePath(objects)}\n`)
  const write = (type: string, body: Buffer) => {
    const raw = Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body])
    const id = createHash(objectFormat).update(raw).digest('hex')
    mkdirSync(at('objects', id.slice(0, 2)), { recursive: true })
    writeFileSync(at('objects', id.slice(0, 2), id.slice(2)), deflateSync(raw))
    return id
  }
  return {
    directory,
    objects: at('objects'),
    index: at('index'),
    commit(tree, parents) {
      const who = 'Headsup <headsup@invalid> 0 +0000'
      const lines = [`tree ${tree}`, ...parents.map((id) => `parent ${id}`), `author ${who}`, `committer ${who}`]
      return write('commit', Buffer.from(`${lines.join('\n')}\n\nmerge\n`))
    },
    nameCommits(ids) {
      const refs = [...new Set(ids)].map((id, index) => `${id} refs/heads/${String(index).padStart(4, '0')}\n`)
      writeFileSync(at('packed-refs'), `# pack-refs with: sorted\n${refs.join('')}`)
    },
    fetched(name) {
      try {
        return readFileSync(at('refs/headsup', name), 'utf8').trim()
      } catch {
        return undefined
      }
    },
    packBytes: () => bytesIn(at('objects/pack')),
    remove: () => removeDirectory(directory),
  }
}

/** A folder that only its owner may read. */
export function createTemporary(temporary: string): string {
  return mkdtempSync(join(temporary, `${prefix}${process.pid}-`))
}

function configOf(objectFormat: string): string {
  const core = '\tbare = true\n\talternateRefsPrefixes = refs/none/\n'
  if (objectFormat === 'sha1') return `[core]\n\trepositoryformatversion = 0\n${core}`
  return `[core]\n\trepositoryformatversion = 1\n${core}[extensions]\n\tobjectFormat = ${objectFormat}\n`
}

/** git reads a path in quotation marks as text of C. */
function alternatePath(path: string): string {
  if (/^["#]|\n/.test(path)) return `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`
  return path
}

function bytesIn(directory: string): number {
  try {
    const sizes = readdirSync(directory).map((name) => statSync(join(directory, name), { throwIfNoEntry: false })?.size)
    return sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0)
  } catch {
    throw new NotTried('failed')
  }
}

/** Removes what killed processes have left. */
export function sweepStores(temporary: string, now: number): void {
  for (const name of namesIn(temporary)) {
    const [, pid] = new RegExp(`^${prefix}(\\d+)-`).exec(name) ?? []
    if (pid === undefined) continue
    const path = join(temporary, name)
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (!found?.isDirectory() || found.uid !== process.getuid?.()) continue
    if (!isRunning(Number(pid)) || now - found.mtimeMs > staleMs) removeDirectory(path)
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // The process of another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** A process that was just killed may still write: what is left is swept later. */
function removeDirectory(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 20 })
  } catch {
    // Swept at the next start.
  }
}
