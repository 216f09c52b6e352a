import { execFile } from 'node:child_process'
import { couldNotAsk } from '../failure.ts'
import type { Terminal } from '../terminal.ts'

export interface FoundToken {
  token: string
  /** Where it is from, in words. */
  from: string
}

/** The caller's GitHub token: `GITHUB_TOKEN`, `GH_TOKEN`, else `gh auth token` (docs/rules.md#client-token). */
export async function findToken(terminal: Pick<Terminal, 'env' | 'signal'>, host: string): Promise<FoundToken> {
  for (const name of ['GITHUB_TOKEN', 'GH_TOKEN']) {
    const token = terminal.env[name]?.trim()
    if (token) return checked({ token, from: name })
  }
  const ofHost = host === 'github.com' ? '' : await askGh(terminal, ['--hostname', host])
  const token = ofHost || (await askGh(terminal, []))
  if (token) return checked({ token, from: '`gh auth token`' })
  throw couldNotAsk('No GitHub token: set GITHUB_TOKEN or GH_TOKEN, or log in by `gh auth login`.')
}

function checked(found: FoundToken): FoundToken {
  if (/^[\x21-\x7e]+$/.test(found.token)) return found
  throw couldNotAsk(`The token of ${found.from} holds characters that no token has.`)
}

function askGh({ env, signal }: Pick<Terminal, 'env' | 'signal'>, args: string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile('gh', ['auth', 'token', ...args], { env, signal }, (error, stdout) => resolve(error ? '' : stdout.trim()))
  })
}
