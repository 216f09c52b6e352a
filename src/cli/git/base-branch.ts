import { homeRemote } from './git-config.ts'
import type { WorkTree } from './work-tree.ts'

export interface BaseBranch {
  name: string
  /** Where it stands, as full names of refs that exist here; none where git doesn't know it. */
  refs: string[]
}

export interface Bases {
  /** Null where nothing says. */
  base: BaseBranch | null
  /** The repository's default branch as far as it is known here. */
  defaultBranch: string | null
}

/** What the default branch is called where nothing says it. */
export const usualDefaults: readonly string[] = ['main', 'master']

/**
 * The branch that this one was begun from, the first of: what was given (`--base`, or remembered from `start`), the
 * settings `branch.NAME.gh-merge-base`, the upstream where its name is another than the branch's own, `headsup.base`,
 * what the remote's `HEAD` points to, and `main` or `master` of the remote if it exists (docs/rules.md#base-branch).
 */
export async function findBase(tree: WorkTree, given: string | undefined): Promise<Bases> {
  const { config, branch } = tree
  const home = homeRemote(config) ?? 'origin'
  const upstreamRemote = config.get(`branch.${branch}.remote`)
  const places = [...new Set([home, 'origin', upstreamRemote ?? '.'])].filter((name) => name !== '.')
  const upstream = config.get(`branch.${branch}.merge`)?.replace(/^refs\/heads\//, '')
  const sure = [given, config.get(`branch.${branch}.gh-merge-base`)].find((name) => name !== undefined)
  const maybe = [upstream, config.get('headsup.base')]
  const named = [sure, ...maybe].map((name) => name && shortName(name, places))
  const patterns = [...named, ...usualDefaults].flatMap((name) => (name ? refsOf(name, places) : []))
  const refs = await existing(tree, [...patterns, ...places.map((place) => `refs/remotes/${place}/HEAD`)])
  const heads = places.map((place) => ({ place, to: refs.get(`refs/remotes/${place}/HEAD`) }))
  const head = heads.find(({ to }) => to?.startsWith('refs/remotes/'))
  const defaultBranch = head?.to?.slice(`refs/remotes/${head.place}/`.length) ?? null
  const known = (name: string) => ({
    name,
    refs: refsOf(name, places).filter((ref) => (refs.has(ref) || ref === head?.to) && ref !== `refs/heads/${branch}`),
  })
  const [first, second, third] = named
  if (first) return { base: known(first), defaultBranch }
  const other = second && second !== branch ? known(second) : undefined
  const set = third ? known(third) : undefined
  // What a person set counts also where git doesn't know it, but for the branch that it is itself.
  const isNamed = (found: BaseBranch) => found === set && found.name !== branch
  const candidates = [other, set, defaultBranch && known(defaultBranch), ...usualDefaults.map(known)]
  const base = candidates.find((found) => found && (found.refs.length > 0 || isNamed(found))) || null
  return { base, defaultBranch }
}

/** `feat/a` of `refs/heads/feat/a`, and of `origin/feat/a` where there is such a remote. */
function shortName(name: string, remotes: readonly string[]): string {
  const short = name.replace(/^refs\/(heads|remotes)\//, '')
  const remote = remotes.find((place) => short.startsWith(`${place}/`))
  return remote === undefined ? short : short.slice(remote.length + 1)
}

function refsOf(name: string, remotes: readonly string[]): string[] {
  return [...remotes.map((remote) => `refs/remotes/${remote}/${name}`), `refs/heads/${name}`]
}

/** Those of the refs that exist, each with what it points to where it is symbolic. */
async function existing({ git }: WorkTree, refs: readonly string[]): Promise<Map<string, string>> {
  const { stdout } = await git('for-each-ref', '--format=%(refname) %(symref)', ...refs)
  const lines = stdout.split('\n').map((line) => line.split(' '))
  return new Map(lines.flatMap(([name, to = '']) => (name && refs.includes(name) ? [[name, to]] : [])))
}
