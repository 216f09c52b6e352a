import { execFile } from 'node:child_process'
import { unavailable } from '../../failure.ts'
import type { Terminal } from '../../terminal.ts'

export interface FoundToken {
  token: string
  /** Where it was found, for messages. */
  from: string
}

/** The variables that name the token, the first one first. */
export const tokenVariables = ['HEADSUP_TOKEN', 'GITHUB_TOKEN', 'GH_TOKEN'] as const

/** The caller's GitHub token: that of a variable, else `gh auth token` (docs/rules.md#client-token). */
export async function findToken(terminal: Pick<Terminal, 'env' | 'signal'>, host: string): Promise<FoundToken> {
  for (const name of tokenVariables) {
    const token = terminal.env[name]?.trim()
    if (token) return validated({ token, from: name })
  }
  const hostToken = host === 'github.com' ? '' : await tokenFromGh(terminal, ['--hostname', host])
  const token = hostToken || (await tokenFromGh(terminal, []))
  if (token) return validated({ token, from: '`gh auth token`' })
  throw unavailable('No GitHub token: set HEADSUP_TOKEN or GITHUB_TOKEN, or log in with `gh auth login`.')
}

function validated(found: FoundToken): FoundToken {
  if (/^[\x21-\x7e]+$/.test(found.token)) return found
  throw unavailable(`The token from ${found.from} contains characters that no token has.`)
}

function tokenFromGh({ env, signal }: Pick<Terminal, 'env' | 'signal'>, args: string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile('gh', ['auth', 'token', ...args], { env, signal }, (error, stdout) => resolve(error ? '' : stdout.trim()))
  })
}
