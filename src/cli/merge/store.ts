import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import type { ObjectFormat } from '../git/config.ts'

/** These precede all other attributes: no driver and no filter that a pull request names, and every text is merged as text. */
const attributes = '* merge=text !filter !diff\n'

/** A new bare repository in the folder for temporary files, which sees the objects of a clone. Only its owner may read it. */
export function createStore(objects: string, format: ObjectFormat): string {
  const store = mkdtempSync(join(tmpdir(), 'headsup-merge-'))
  for (const name of ['objects/info', 'refs', 'info']) mkdirSync(join(store, name), { recursive: true })
  writeFileSync(join(store, 'HEAD'), 'ref: refs/heads/none\n')
  writeFileSync(join(store, 'config'), configOf(format))
  writeFileSync(join(store, 'info/attributes'), attributes)
  writeFileSync(join(store, 'objects/info/alternates'), `${alternate(objects)}\n`)
  return store
}

export function removeStore(store: string): void {
  try {
    // A process that was just ended may still write: then the directory is not empty, and it is tried again.
    rmSync(store, { recursive: true, force: true, maxRetries: 10, retryDelay: 40 })
  } catch {
    // It stays until the system clears its temporary files.
  }
}

/** The remote's branches say what the server need not send: one head is 16 kB then, not 667. */
function configOf(format: ObjectFormat): string {
  const core = '\tbare = true\n\talternateRefsPrefixes = refs/remotes/ refs/heads/\n'
  if (format === 'sha1') return `[core]\n\trepositoryformatversion = 0\n${core}`
  return `[core]\n\trepositoryformatversion = 1\n${core}[extensions]\n\tobjectFormat = ${format}\n`
}

/** Git reads a path that begins with a quotation mark as text of C, one with `#` as a comment, and a line feed ends it. */
function alternate(path: string): string {
  return /^["#]|\n/.test(path) ? `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"` : path
}

/** Writes a commit into the store, without a process. Returns its id. */
export function writeCommit(store: string, format: ObjectFormat, tree: string, parents: readonly string[]): string {
  const who = 'Headsup <headsup@invalid> 0 +0000'
  const head = [`tree ${tree}`, ...parents.map((id) => `parent ${id}`), `author ${who}`, `committer ${who}`]
  const body = `${head.join('\n')}\n\nmerge\n`
  const content = `commit ${body.length}\0${body}`
  const id = createHash(format).update(content).digest('hex')
  const directory = join(store, 'objects', id.slice(0, 2))
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, id.slice(2)), deflateSync(content))
  return id
}
