import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serveGit } from '../test/support/github/serve-git.ts'

/** What a measured command line talks to. */
interface StandIn {
  /** For temporary files. Repositories in its folder `remote/acme` are served at `/acme/`. */
  directory: string
  origin: string
  stop(): void
}

/** Starts a stand-in for the service and for GitHub's git. `answerTo` gives the service's response to a path. */
export async function startStandIn(answerTo: (path: string) => object): Promise<StandIn> {
  const directory = mkdtempSync(join(tmpdir(), 'headsup-bench-'))
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    if (path.startsWith('/acme/')) serveGit(join(directory, 'remote'), request, response)
    else request.resume().on('end', () => response.end(JSON.stringify(answerTo(path))))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    directory,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** The path of a file of the measured repository, by its number. */
export function fileName(n: number): string {
  return `src/room-${n % 40}/file-${n}.ts`
}
