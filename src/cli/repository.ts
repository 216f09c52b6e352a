import { repositoryKey } from '../core/names.ts'
import type { Remote } from './git/config.ts'
import { type RepositoryName, readRemoteUrl, readRepositoryName } from './git/remote-url.ts'
import type { Surroundings } from './git/work-tree.ts'
import { Failure, usageError } from './terminal.ts'

export interface FoundRepository extends RepositoryName {
  /** Undefined where OWNER/NAME alone was given. */
  host: string | undefined
  /** Whether somebody named it, or has it as `upstream`: a fork that nobody chose may not be where the work goes. */
  isChosen: boolean
  /** The remote with this repository, if there is one. */
  remote: string | undefined
}

/** The repository of `--repo`, else of the remote that gh chose, else of `upstream`, else of `origin`. */
export function chooseRepository({ config, tree }: Surroundings, given: string | undefined): FoundRepository {
  const remotes = tree === undefined ? [] : config.remotes
  if (given !== undefined) return namedRepository(given, remotes)
  if (tree === undefined) {
    throw new Failure('This directory is in no git work tree: go into one, or name a repository by --repo OWNER/NAME.')
  }
  const byGh = remotes.find(({ chosen }) => chosen)
  const remote = byGh ?? ['upstream', 'origin'].flatMap((name) => remotes.find((one) => one.name === name) ?? []).at(0)
  const found = remote && readRemoteUrl(remote.url)
  if (!remote || !found) throw new Failure(withoutRepository(remotes))
  const other = readRepositoryName(byGh?.chosen ?? '')
  if (other) return { ...namedRepository(`${other.owner}/${other.name}`, remotes), host: found.host }
  return { ...found, isChosen: byGh !== undefined || remote.name === 'upstream', remote: remote.name }
}

function namedRepository(given: string, remotes: readonly Remote[]): FoundRepository {
  const named: (RepositoryName & { host?: string }) | undefined = readRepositoryName(given) ?? readRemoteUrl(given)
  if (!named) throw usageError('--repo must be OWNER/NAME.')
  const remote = remotes.find(({ url }) => isSame(readRemoteUrl(url), named))
  const host = named.host ?? (remote && readRemoteUrl(remote.url)?.host)
  return { owner: named.owner, name: named.name, host, isChosen: true, remote: remote?.name }
}

/** GitHub compares names without case. */
function isSame(a: RepositoryName | undefined, b: RepositoryName | undefined): boolean {
  return a !== undefined && b !== undefined && repositoryKey(a.owner, a.name) === repositoryKey(b.owner, b.name)
}

function withoutRepository(remotes: readonly Remote[]): string {
  const known = remotes.flatMap(({ url }) => readRemoteUrl(url) ?? [])
  const names = known.map(({ owner, name }) => `${owner}/${name}`)
  const choice = names.length === 0 ? '' : `, such as ${names.join(' or ')}`
  return `No remote named origin or upstream is a repository on GitHub: name it by --repo OWNER/NAME${choice}.`
}
