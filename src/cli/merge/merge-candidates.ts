import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Candidate, Tried, Tries } from './candidates.ts'
import { fetchHeads, type Remote } from './fetch-heads.ts'
import { type Merged, mergePairs, type Pair } from './merge-pairs.ts'
import type { OwnSide } from './own-side.ts'
import { createStore, removeStore, writeCommit } from './store.ts'
import { gitInStore, NotTried, type StoreGit } from './store-git.ts'

/**
 * Merges the work tree and each head into the tip of the target branch, and then these with each other (two heads merged
 * directly tell every conflict that one of them has with the target). All of it happens in a repository of its own, so nothing
 * is written into the clone. Throws `NotTried` where none could be tried.
 */
export async function mergeCandidates(
  own: OwnSide,
  candidates: readonly Candidate[],
  remote: Remote,
  signal: AbortSignal,
): Promise<Tries> {
  let clear = () => {}
  // Before there is something to clear up: a signal that comes earlier ends the process at once.
  const release = onEndOfProcess(() => clear())
  try {
    const store = createStore(own.objects, own.format)
    const git = gitInStore(store, signal)
    clear = () => {
      git.kill()
      removeStore(store)
    }
    return await mergeIn(store, git, own, candidates, remote)
  } finally {
    release()
    clear()
  }
}

async function mergeIn(
  store: string,
  git: StoreGit,
  own: OwnSide,
  candidates: readonly Candidate[],
  remote: Remote,
): Promise<Tries> {
  const mine = await ownCommit(store, git, own)
  const ids = candidates.map(({ head_sha }) => head_sha)
  const gone = await fetchHeads(git, remote, ids)
  const heads = ids.filter((id) => !gone.has(id))
  const target = readFileSync(join(store, 'refs/target'), 'utf8').trim()
  const [ours, ...theirs] = await mergePairs(
    git,
    [mine, ...heads].map((id) => [target, id]),
  )
  if (!ours) throw new NotTried('git could not merge your work into the target branch')
  // With what conflicts with the target in it: those files are left out when they are judged.
  const merged = heads.map((head, at): Pair => {
    const tree = theirs[at]?.tree
    return [tree === undefined ? mine : writeCommit(store, own.format, tree, [target, head]), mine]
  })
  const both = await mergePairs(git, merged)
  const tried = candidates.map((candidate): Tried => {
    const at = heads.indexOf(candidate.head_sha)
    if (at >= 0) return judge(candidate, own, ours, theirs[at], both[at])
    return { activity_id: candidate.activity_id, conflicts: null, reason: 'their commits are not on the remote' }
  })
  return { tried, ownConflicts: ours.paths.filter((path) => !own.leftOut.has(path)) }
}

/** The work tree as a commit. Its files are read with the attributes and the settings of the store, so no program runs. */
async function ownCommit(store: string, git: StoreGit, { top, format, head, uncommitted, reading }: OwnSide) {
  if (uncommitted.length === 0) return head
  const env = { GIT_WORK_TREE: top, GIT_INDEX_FILE: join(store, 'index') }
  const input = uncommitted.map((path) => `${path}\0`).join('')
  await git.run(['read-tree', head], { env })
  await git.run(['update-index', '-z', '--add', '--remove', '--replace', '--stdin'], { env, input, settings: reading })
  const tree = await git.run(['write-tree', '--missing-ok'], { env })
  return writeCommit(store, format, tree.trim(), [head])
}

/** What conflicts with the target already is no conflict of these two. A file that both change and that was left out was not tried. */
function judge(
  { activity_id, paths, hasMore }: Candidate,
  { leftOut }: OwnSide,
  ours: Merged,
  theirs: Merged | undefined,
  both: Merged | undefined,
): Tried {
  if (!theirs || !both) return { activity_id, conflicts: null, reason: 'git could not merge them' }
  const before = new Set([...ours.paths, ...theirs.paths])
  const conflicts = both.paths.filter((path) => !before.has(path) && !leftOut.has(path))
  if (conflicts.length > 0) return { activity_id, conflicts, reason: null }
  const reasons: [ReadonlySet<string>, string][] = [
    [leftOut, 'a file that both change is large, filtered, a link or a submodule'],
    [before, 'a file that both change conflicts with the target branch'],
  ]
  const found = reasons.find(([left]) => paths.some((path) => left.has(path)) || (hasMore && left.size > 0))
  return found ? { activity_id, conflicts: null, reason: found[1] } : { activity_id, conflicts: [], reason: null }
}

/** Clears up where a signal or `process.exit` ends this process: git runs in sessions of its own and would go on. */
function onEndOfProcess(clear: () => void): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const handle = (signal: NodeJS.Signals) => {
    clear()
    release()
    process.kill(process.pid, signal)
  }
  const release = () => {
    process.off('exit', clear)
    for (const signal of signals) process.off(signal, handle)
  }
  process.on('exit', clear)
  for (const signal of signals) process.on(signal, handle)
  return release
}
