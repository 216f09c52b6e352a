/** The content of a file; null removes it. */
type Content = string | Buffer | null | { mode: string; content: string | Buffer }

/** One commit of a repository at the server. */
export interface ServerCommit {
  /** The full name of the ref that it becomes. */
  ref: string
  /** The ref that it begins at; without one, it has no parent. */
  from?: string
  files: Record<string, Content>
  /** Old names to new ones, before the files are written. */
  renames?: Record<string, string>
}

/** The commits as a stream of git-fast-import. */
export function importStream(commits: readonly ServerCommit[]): Buffer {
  return Buffer.concat(commits.flatMap(commitParts))
}

function commitParts({ ref, from, files, renames = {} }: ServerCommit): Buffer[] {
  const who = 'Ann <ann@example.com> 1700000000 +0000'
  return [
    line(`reset ${ref}\ncommit ${ref}\nauthor ${who}\ncommitter ${who}`),
    data(`Change ${Object.keys(files).join(', ')}`),
    ...(from === undefined ? [] : [line(`from ${from}`)]),
    ...Object.entries(renames).map(([old, name]) => line(`R ${quoted(old)} ${quoted(name)}`)),
    ...Object.entries(files).flatMap(([path, content]) => fileParts(quoted(path), content)),
  ]
}

function fileParts(path: string, content: Content): Buffer[] {
  if (content === null) return [line(`D ${path}`)]
  const isPlain = typeof content === 'string' || Buffer.isBuffer(content)
  const { mode, content: bytes } = isPlain ? { mode: '100644', content } : content
  if (mode === '160000') return [line(`M 160000 ${bytes} ${path}`)]
  return [line(`M ${mode} inline ${path}`), data(bytes)]
}

function line(text: string): Buffer {
  return Buffer.from(`${text}\n`)
}

function data(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content)
  return Buffer.concat([line(`data ${bytes.length}`), bytes, Buffer.from('\n')])
}

function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`
}
