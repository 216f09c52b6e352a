import { type MergeReason, NotTried } from '../merge-result.ts'
import type { WantedHead } from './choose-heads.ts'
import type { FetchSource } from './fetch-source.ts'
import type { GitProcesses, GitResult } from './git-process.ts'
import { type Guards, isolatedEnv, settingsEnv } from './guards.ts'
import type { MergeStore } from './merge-store.ts'
import type { Clone } from './read-clone.ts'

export interface FetchedHeads {
  /** The tip of the target branch. */
  target: string
  /** The commit of each wanted head; undefined where it is gone. */
  heads: (string | undefined)[]
}

export interface FetchBounds {
  git: GitProcesses
  env: NodeJS.ProcessEnv
  guards: Guards
  maxBytes: number
}

const maxAttempts = 4

/** Fetches all heads and the tip of the target branch at once. A ref that is gone fails a fetch, which is tried again without it. */
export async function fetchHeads(
  source: FetchSource,
  target: string,
  wanted: readonly WantedHead[],
  clone: Clone,
  store: MergeStore,
  bounds: FetchBounds,
): Promise<FetchedHeads> {
  const targetRef = `refs/heads/${target}`
  const gone = new Set<string>()
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const present = wanted.flatMap(({ from }, index) => (gone.has(from) ? [] : `+${from}:refs/headsup/${index}`))
    const result = await fetchRefs([`+${targetRef}:refs/headsup/target`, ...present])
    checkBytes()
    if (result.code === 0) return readHeads()
    const missing = missingRef(result.stderr)
    if (missing === targetRef) throw new NotTried('target')
    if (missing === undefined || gone.has(missing)) throw new NotTried(failureReason(result.stderr, clone))
    gone.add(missing)
  }
  throw new NotTried('head_gone')

  function fetchRefs(refs: readonly string[]): Promise<GitResult> {
    const directory = bounds.guards.fetchesIntoStore ? store.directory : clone.gitDirectory
    return bounds.git.run({
      args: [`--git-dir=${directory}`, 'fetch', ...bounds.guards.fetchOptions, '--', String(source.url), ...refs],
      cwd: store.directory,
      env: fetchEnv(source, clone, store, bounds),
      watch: checkBytes,
    })
  }

  function checkBytes(): void {
    if (store.packBytes() > bounds.maxBytes) throw new NotTried('too_large')
  }

  function readHeads(): FetchedHeads {
    const tip = store.fetched('target')
    if (tip === undefined) throw new NotTried('failed')
    return {
      target: tip,
      heads: wanted.map(({ from }, index) => (gone.has(from) ? undefined : store.fetched(`${index}`))),
    }
  }
}

/** The variables of git in the store: no settings of anybody count but those that are needed to reach the server. */
function fetchEnv(source: FetchSource, clone: Clone, store: MergeStore, { env, guards }: FetchBounds) {
  const own = Object.entries(guards.fetch)
  if (source.transport === 'ssh') {
    const command = env.GIT_SSH_COMMAND ?? clone.network.findLast(([key]) => key === 'core.sshcommand')?.[1] ?? 'ssh'
    const variant = clone.network.filter(([key]) => key === 'ssh.variant')
    return {
      ...isolatedEnv(env, store.directory, guards),
      HOME: env.HOME ?? '',
      ...settingsEnv([...own, ...variant, ['protocol.ssh.allow', 'always']], guards),
      GIT_SSH_COMMAND: `${command} -o BatchMode=yes -o ConnectTimeout=3`,
    }
  }
  const scheme = source.url.protocol.slice(0, -1)
  const login = Buffer.from(`x-access-token:${source.token}`).toString('base64')
  return {
    ...isolatedEnv(env, store.directory, guards),
    ...settingsEnv(
      [
        ...clone.network.filter(([key]) => key.startsWith('http.')),
        ...own,
        [`protocol.${scheme}.allow`, 'always'],
        [`http.${source.url.origin}/.extraHeader`, `Authorization: Basic ${login}`],
      ],
      guards,
    ),
  }
}

/** The ref or commit that the server says it does not have. */
function missingRef(stderr: string): string | undefined {
  return (
    /couldn't find remote ref (\S+)/.exec(stderr)?.[1] ??
    /(?:not our ref|unadvertised object) ([0-9a-f]{40,64})/.exec(stderr)?.[1]
  )
}

const refusals =
  /Authentication failed|could not read (?:Username|Password)|returned error: [34]\d\d|[Rr]epository .*not found|Permission denied|unable to update url base/

/** What the server sends may build on objects that a partial clone lacks. */
const lacks = /could not fetch \S+ from promisor|invalid index-pack output|necessary objects/

function failureReason(stderr: string, { isPartial }: Clone): MergeReason {
  if (refusals.test(stderr)) return 'access'
  return isPartial && lacks.test(stderr) ? 'partial' : 'network'
}
