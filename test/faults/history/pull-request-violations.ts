import type { CheckRun } from '../../support/github/check-data.ts'
import type { Repository } from '../../support/github/data.ts'
import type { Pull } from '../../support/github/pull-data.ts'
import { grouped } from './grouped.ts'
import type { RepositoryView } from './stream-view.ts'

type OnGithub = Pick<Repository, 'pulls' | 'checkRuns'>

/**
 * Compares the open pull requests at GitHub with what the lists show: each once, with its last head, by itself or by the
 * recorded activity of its branch. Returns a line for each difference.
 */
export function observedViolations(
  { pulls }: Pick<OnGithub, 'pulls'>,
  { activities, collisions }: RepositoryView,
): string[] {
  const open = pulls.filter(({ state }) => state === 'open')
  const shown = grouped([...activities.values()], ({ branch }) => String(branch))
  const ids = new Map(open.map(({ head }) => [head, shown.get(head)?.[0]?.id]))
  const wrong = open.flatMap(({ number, head, headSha }) => {
    const of = shown.get(head) ?? []
    const heads = of.map(({ changes }) => (changes as { head_sha?: string } | null)?.head_sha)
    return heads.length === 1 && heads[0] === headSha ? [] : [`#${number}: is at ${headSha}, and shown at [${heads}]`]
  })
  const branches = new Set(open.map(({ head }) => head))
  const ended = [...activities.values()].filter(
    ({ source, branch }) => source !== 'recorded' && !branches.has(String(branch)),
  )
  const missing = open.flatMap((pull) =>
    collidingWith(pull, open).flatMap((other) => {
      const key = [ids.get(pull.head), ids.get(other.head)].sort().join(' ')
      return collisions.has(key) ? [] : [`#${pull.number} and #${other.number} change the same lines: no collision`]
    }),
  )
  return [...wrong, ...missing, ...ended.map(({ branch }) => `${branch}: is not open, and is shown`)]
}

/** Each open head has one check run, which names those with the same lines; no head has two. */
export function checkRunViolations({ pulls, checkRuns }: OnGithub): string[] {
  const runs = grouped(checkRuns, ({ headSha }) => headSha)
  const open = pulls.filter(({ state }) => state === 'open')
  const twice = [...runs]
    .filter(([, ofHead]) => ofHead.length > 1)
    .map(([sha, { length }]) => `${sha}: ${length} check runs`)
  const wrong = open.flatMap((pull) => {
    const run = runs.get(pull.headSha)?.[0]
    const others = collidingWith(pull, open)
    return run && saysSo(run, others)
      ? []
      : [`#${pull.number}: "${run?.title}", ${numbersOf(others)} on the same lines`]
  })
  return [...twice, ...wrong]
}

function saysSo({ status, conclusion, title }: CheckRun, others: readonly Pull[]): boolean {
  if (status !== 'completed') return false
  if (others.length === 0) return conclusion === 'success' && title === 'No overlap with work in flight'
  const [, number, login, more = '0'] =
    /^Same lines as #(\d+) \(([\w-]+)\)(?: and (\d+) more)?$/.exec(title ?? '') ?? []
  const isNamed = others.some((other) => other.number === Number(number) && other.author === login)
  return conclusion === 'neutral' && isNamed && Number(more) === others.length - 1
}

function numbersOf(pulls: readonly Pull[]): string {
  return pulls.length === 0 ? 'none' : pulls.map(({ number }) => `#${number}`).join(', ')
}

/** Each pull request of the load changes one range of one file. Ranges touch only if they are the same. */
function collidingWith(pull: Pull, open: readonly Pull[]): Pull[] {
  return open.filter((other) => other !== pull && placeOf(other) === placeOf(pull))
}

function placeOf({ files }: Pull): string {
  return files.map(({ path, patch }) => `${path} ${/^@@ \S+/.exec(patch ?? '')?.[0]}`).join()
}
