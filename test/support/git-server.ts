import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { dirname, join } from 'node:path'
import { serveGit } from './github/serve-git.ts'
import { type CleanUp, scratch } from './scratch.ts'

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

export interface GitServer {
  directory: string
  /** Of the repository. */
  url: URL
  requests: { path: string; authorization: string | undefined }[]
  /** Answers instead of git, where it is set. */
  answer: ((request: IncomingMessage, response: ServerResponse) => void) | undefined
  /** Adds commits by one process. */
  add(commits: readonly ServerCommit[]): void
  commitOf(ref: string): string
}

export const serverToken = 'server-token'
const expected = `Basic ${Buffer.from(`x-access-token:${serverToken}`).toString('base64')}`

/** A bare repository behind HTTP, as at GitHub: git's own server behind the token. */
export async function startGitServer(cleanUp: CleanUp, initOptions: readonly string[] = []): Promise<GitServer> {
  const root = await scratch({ cleanUp })
  const directory = join(root, 'acme', 'app.git')
  mkdirSync(directory, { recursive: true })
  const run = (args: readonly string[], input?: string | Buffer) => {
    const env = { PATH: process.env.PATH ?? '', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' }
    const { status, stdout, stderr } = spawnSync('git', [`--git-dir=${directory}`, ...args], { env, input })
    if (status !== 0) throw new Error(stderr.toString())
    return stdout.toString().trim()
  }
  run(['init', '-q', '--bare', '-b', 'main', ...initOptions])
  run(['config', 'uploadpack.allowFilter', 'true'])
  const server = createServer((request, response) => {
    made.requests.push({ path: request.url ?? '', authorization: request.headers.authorization })
    if (made.answer) made.answer(request, response)
    else if (request.headers.authorization === expected) serveGit(root, request, response)
    else response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="test"' }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUp(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const made: GitServer = {
    directory,
    url: new URL(`http://127.0.0.1:${port}/acme/app.git`),
    requests: [],
    answer: undefined,
    add: (commits) => void run(['fast-import', '--quiet', '--force'], importStream(commits)),
    commitOf: (ref) => run(['rev-parse', ref]),
  }
  return made
}

/** The commits as a stream of git-fast-import. */
function importStream(commits: readonly ServerCommit[]): Buffer {
  const parts: Buffer[] = []
  const line = (text: string) => parts.push(Buffer.from(`${text}\n`))
  const data = (content: string | Buffer) => {
    const bytes = Buffer.from(content)
    line(`data ${bytes.length}`)
    parts.push(bytes, Buffer.from('\n'))
  }
  const quoted = (path: string) => `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`
  for (const { ref, from, files, renames = {} } of commits) {
    line(`reset ${ref}`)
    line(`commit ${ref}`)
    line('author Ann <ann@example.com> 1700000000 +0000')
    line('committer Ann <ann@example.com> 1700000000 +0000')
    data(`Change ${Object.keys(files).join(', ')}`)
    if (from !== undefined) line(`from ${from}`)
    for (const [old, name] of Object.entries(renames)) line(`R ${quoted(old)} ${quoted(name)}`)
    for (const [path, content] of Object.entries(files)) {
      if (content === null) line(`D ${quoted(path)}`)
      else {
        const { mode, content: bytes } =
          typeof content === 'string' || Buffer.isBuffer(content) ? { mode: '100644', content } : content
        if (mode === '160000') line(`M 160000 ${bytes} ${quoted(path)}`)
        else {
          line(`M ${mode} inline ${quoted(path)}`)
          data(bytes)
        }
      }
    }
  }
  return Buffer.concat(parts)
}

/** The directory of a path, for tests that write files. */
export function makeParent(path: string): string {
  mkdirSync(dirname(path), { recursive: true })
  return path
}
