import { homeRemote } from './git-config.ts'
import type { WorkTree } from './work-tree.ts'

export interface BaseBranch {
  name: string
  /** The existing refs of the branch, as full names; empty where git doesn't know it. */
  refs: string[]
}

export interface Bases {
  /** Null where none is found. */
  base: BaseBranch | null
  /** The default branch of the repository; null where git doesn't know it. */
  defaultBranch: string | null
}

/** Names of a default branch that is not known otherwise. */
export const usualDefaults: readonly string[] = ['main', 'master']

/**
 * The base branch, the first of: the given one (`--base`, or saved by `start`), the setting `branch.NAME.gh-merge-base`,
 * the upstream where its name differs from the branch's own, the setting `headsup.base`, the target of the remote's `HEAD`,
 * an existing `main` or `master` (docs/rules.md#base-branch).
 */
export async function findBases(tree: WorkTree, given: string | undefined): Promise<Bases> {
  const { config, branch } = tree
  const home = homeRemote(config) ?? 'origin'
  const upstreamRemote = config.get(`branch.${branch}.remote`)
  const remotes = [...new Set([home, 'origin', upstreamRemote ?? '.'])].filter((name) => name !== '.')
  const upstream = config.get(`branch.${branch}.merge`)?.replace(/^refs\/heads\//, '')
  const chosen = [given, config.get(`branch.${branch}.gh-merge-base`)].find((name) => name !== undefined)
  const others = [upstream, config.get('headsup.base')]
  const named = [chosen, ...others].map((name) => name && shortName(name, remotes))
  const patterns = [...named, ...usualDefaults].flatMap((name) => (name ? refsOf(name, remotes) : []))
  const refs = await existingRefs(tree, [...patterns, ...remotes.map((remote) => `refs/remotes/${remote}/HEAD`)])
  const heads = remotes.map((remote) => ({ remote, target: refs.get(`refs/remotes/${remote}/HEAD`) }))
  const head = heads.find(({ target }) => target?.startsWith('refs/remotes/'))
  const defaultBranch = head?.target?.slice(`refs/remotes/${head.remote}/`.length) ?? null
  const toBase = (name: string) => ({
    name,
    refs: refsOf(name, remotes).filter(
      (ref) => (refs.has(ref) || ref === head?.target) && ref !== `refs/heads/${branch}`,
    ),
  })
  const [first, second, third] = named
  if (first) return { base: toBase(first), defaultBranch }
  const upstreamBase = second && second !== branch ? toBase(second) : undefined
  const setting = third ? toBase(third) : undefined
  // The setting `headsup.base` counts even where git doesn't know the branch, but a branch is not its own base.
  const isSetting = (found: BaseBranch) => found === setting && found.name !== branch
  const candidates = [upstreamBase, setting, defaultBranch && toBase(defaultBranch), ...usualDefaults.map(toBase)]
  const base = candidates.find((found) => found && (found.refs.length > 0 || isSetting(found))) || null
  return { base, defaultBranch }
}

/** `feat/a` for `refs/heads/feat/a`, and for `origin/feat/a` where `origin` is a remote. */
function shortName(name: string, remotes: readonly string[]): string {
  const short = name.replace(/^refs\/(heads|remotes)\//, '')
  const remote = remotes.find((candidate) => short.startsWith(`${candidate}/`))
  return remote === undefined ? short : short.slice(remote.length + 1)
}

function refsOf(name: string, remotes: readonly string[]): string[] {
  return [...remotes.map((remote) => `refs/remotes/${remote}/${name}`), `refs/heads/${name}`]
}

/** The existing refs, each with its target where it is symbolic. */
async function existingRefs({ git }: WorkTree, refs: readonly string[]): Promise<Map<string, string>> {
  const { stdout } = await git('for-each-ref', '--format=%(refname) %(symref)', ...refs)
  const lines = stdout.split('\n').map((line) => line.split(' '))
  return new Map(lines.flatMap(([name, to = '']) => (name && refs.includes(name) ? [[name, to]] : [])))
}
