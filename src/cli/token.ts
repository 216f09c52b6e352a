import { execFile } from 'node:child_process'
import { parse } from 'node:path'
import { canBeToken } from '../core/names.ts'
import { isSameHost } from './git/remote-url.ts'
import { Failure, type Terminal } from './terminal.ts'

export interface FoundToken {
  token: string
  /** Where it was found, for messages. */
  from: string
}

/** Variables that hold a token for github.com. Agents that refuse some kinds of tokens there need a name of our own. */
const githubVariables = ['GITHUB_TOKEN', 'GH_TOKEN']
export const tokenVariables: readonly string[] = ['HEADSUP_TOKEN', ...githubVariables]

/** The caller's GitHub token for a host: of a variable, else of `gh`. */
export async function findToken(host: string, terminal: Pick<Terminal, 'env' | 'signal'>): Promise<FoundToken> {
  const isGithubCom = isSameHost(host, 'github.com')
  for (const name of isGithubCom ? tokenVariables : ['HEADSUP_TOKEN']) {
    const token = terminal.env[name]?.trim()
    if (token) return checked({ token, from: name })
  }
  const token = await tokenOfGh(isGithubCom ? 'github.com' : host, terminal)
  if (token !== '') return checked({ token, from: '`gh auth token`' })
  const login = isGithubCom ? '`gh auth login`' : `\`gh auth login --hostname ${host}\``
  throw new Failure(`No GitHub token is known for ${host}: run ${login}, or set HEADSUP_TOKEN.`)
}

function checked(found: FoundToken): FoundToken {
  if (canBeToken(found.token)) return found
  throw new Failure(`The token from ${found.from} holds characters that no token has.`)
}

function tokenOfGh(host: string, { env, signal }: Pick<Terminal, 'env' | 'signal'>): Promise<string> {
  const options = { env, signal, cwd: parse(process.execPath).root, windowsHide: true }
  return new Promise((resolve) => {
    execFile('gh', ['auth', 'token', '--hostname', host], options, (error, stdout) => {
      resolve(error ? '' : stdout.trim())
    })
  })
}
