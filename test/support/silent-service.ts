import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import type { Clone } from './command-line.ts'

export interface SilentService {
  url: string
  /** How many requests came. */
  requests(): number
  stop(): void
}

/** Accepts connections, and never responds. */
export async function startSilentService(): Promise<SilentService> {
  let requests = 0
  const server = createServer(() => {
    requests += 1
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Each is for a busier machine than the one before, in ms. The last is shorter than the 20 s after which any request ends. */
const limits = ['1500', '5000', '15000']

/**
 * Runs a hook that gives up at its time limit, and returns what it printed last. A busy machine may have done nothing until a
 * short limit ends: then the hook runs again with a longer one.
 */
export async function runUntilGivenUp<T>(
  run: (limit: { HEADSUP_HOOK_LIMIT_MS: string }) => Promise<T>,
  hasGivenUp: (printed: T) => boolean,
): Promise<T> {
  const [shortest = '', ...longer] = limits
  let printed = await run({ HEADSUP_HOOK_LIMIT_MS: shortest })
  for (const limit of longer) {
    if (hasGivenUp(printed)) break
    printed = await run({ HEADSUP_HOOK_LIMIT_MS: limit })
  }
  return printed
}

/** Whether a hook has saved in this work tree that this service is away. */
export function hasSavedFailure({ path, git }: Clone, { url }: SilentService): boolean {
  const file = resolve(path, git('rev-parse', '--git-path', 'headsup/hooks.json').trim())
  try {
    return Object.keys(JSON.parse(readFileSync(file, 'utf8')).failures).some((key) => key.endsWith(`: away: ${url}/`))
  } catch {
    return false
  }
}
