import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serveGit } from '../../../support/github-server/git.ts'
import { importStream, type ServerCommit } from './import-stream.ts'

export const serverToken = 'server-token'
const expected = `Basic ${Buffer.from(`x-access-token:${serverToken}`).toString('base64')}`
const certificate = (name: string) => fileURLToPath(new URL(`../../../fixtures/certificates/${name}`, import.meta.url))

/** The file with the authority of the server, for git. */
export const certificateFile = certificate('valid.pem')

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
  stop(): Promise<void>
}

/** A bare repository behind https on 127.0.0.1, as at GitHub: git's own server behind the token. */
export async function startGitServer(root: string, initOptions: readonly string[] = []): Promise<GitServer> {
  const directory = join(root, 'acme', 'app.git')
  mkdirSync(directory, { recursive: true })
  const run = (args: readonly string[], input?: Buffer) => {
    const env = { PATH: process.env.PATH ?? '', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' }
    const { status, stdout, stderr } = spawnSync('git', [`--git-dir=${directory}`, ...args], { env, input })
    if (status !== 0) throw new Error(stderr.toString())
    return stdout.toString().trim()
  }
  run(['init', '-q', '--bare', '-b', 'main', ...initOptions])
  run(['config', 'uploadpack.allowFilter', 'true'])
  const tls = { cert: readFileSync(certificateFile), key: readFileSync(certificate('valid.key')) }
  const https = createServer(tls, (request, response) => {
    server.requests.push({ path: request.url ?? '', authorization: request.headers.authorization })
    if (server.answer) server.answer(request, response)
    else if (request.headers.authorization === expected) serveGit(root, request, response)
    else response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="test"' }).end()
  })
  await new Promise<void>((resolve) => https.listen(0, '127.0.0.1', resolve))
  const server: GitServer = {
    directory,
    url: new URL(`https://127.0.0.1:${(https.address() as AddressInfo).port}/acme/app.git`),
    requests: [],
    answer: undefined,
    add: (commits) => void run(['fast-import', '--quiet', '--force'], importStream(commits)),
    commitOf: (ref) => run(['rev-parse', ref]),
    async stop() {
      https.closeAllConnections()
      await new Promise((resolve) => https.close(resolve))
    },
  }
  return server
}
