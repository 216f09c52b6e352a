import { GitFailed, NotTried, type StoreGit } from './store-git.ts'

/** Where heads are fetched from. */
export interface Remote {
  /** Of the repository at GitHub: https, or a loopback address. */
  url: URL
  token: string
  /** The branch that the work is meant for, without `refs/heads/`. */
  target: string
}

/**
 * Fetches commits by their ids, and the tip of the target branch as `refs/target`, at once. Returns the ids that the server does
 * not have. Throws `NotTried`.
 */
export async function fetchHeads(git: StoreGit, remote: Remote, ids: readonly string[]): Promise<Set<string>> {
  const gone = new Set<string>()
  for (;;) {
    try {
      const present = ids.filter((id) => !gone.has(id))
      await fetchAll(git, remote, present)
      return gone
    } catch (error) {
      if (!(error instanceof GitFailed)) throw error
      // One that is gone fails all of them.
      const [, missing = ''] = /not our ref ([0-9a-f]+)/.exec(error.stderr) ?? []
      if (!ids.includes(missing) || gone.has(missing)) throw new NotTried(reasonOf(error.stderr, remote))
      gone.add(missing)
    }
  }
}

const options = [
  ...['--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance', '--no-recurse-submodules'],
  // Large files of others are neither fetched nor merged: one pull request can hold 400 MB of zeros.
  '--filter=blob:limit=1m',
]

async function fetchAll(git: StoreGit, { url, token, target }: Remote, ids: readonly string[]): Promise<void> {
  const login = Buffer.from(`x-access-token:${token}`).toString('base64')
  await git.run(['fetch', ...options, '--', url.href, `+refs/heads/${target}:refs/target`, ...ids], {
    settings: {
      'protocol.allow': 'never',
      [`protocol.${url.protocol.slice(0, -1)}.allow`]: 'always',
      [`http.${url.origin}/.extraHeader`]: `Authorization: Basic ${login}`,
      // The token is for one host.
      'http.followRedirects': 'false',
      // A fetch whose caller was killed ends by itself.
      'http.lowSpeedLimit': '1',
      'http.lowSpeedTime': '10',
      'fetch.unpackLimit': '1',
    },
  })
}

function reasonOf(stderr: string, { target }: Remote): string {
  if (stderr.includes(`couldn't find remote ref refs/heads/${target}`)) return 'the remote has no such target branch'
  if (/Authentication failed|could not read (?:Username|Password)|returned error: [34]\d\d|not found/i.test(stderr)) {
    return 'the token may not read the contents of the repository'
  }
  // What the server sends may build on objects that a partial clone lacks.
  if (/promisor|necessary objects|invalid index-pack output|unresolved deltas/.test(stderr))
    return 'this clone lacks files'
  return 'the heads could not be fetched'
}
