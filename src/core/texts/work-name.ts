import { isOtherName } from '../names.ts'
import { quoted } from './quote.ts'
import { ago } from './words.ts'

/** What texts say of work. */
export interface Described {
  source: 'recorded' | 'pull_request'
  isStranger: boolean
  title: string
  actor: string
  agent: string | null
  branch: string | null
  pr_number: number | null
  blocking: boolean
  author_login: string | null
  began_at: Date
  /** Of its pull request; null where there is none, or the time is not known. */
  pushed_at: Date | null
  /** The last sign of life: a push, a heartbeat, changes that a client sent. */
  seen_at: Date | null
}

/**
 * Who, in what: `“Ana” (“ana-gh”, with “claude-code”) in “Rework the login” on branch “fix/login”`. Of strangers number and login.
 * Work of the reader's account has a name too: several people or agents may share one.
 */
export function workName(work: Described, isReaders = false): string {
  const { source, isStranger, pr_number } = work
  if (isStranger) return `${quoted(loginOf(work))} from outside in #${pr_number}`
  return `${whoOf(work)} in ${isReaders ? 'your ' : ''}${source === 'pull_request' ? `#${pr_number}` : recordName(work)}`
}

function recordName({ title, branch, pr_number }: Described): string {
  const where = branch === null ? '' : ` on branch ${quoted(branch)}`
  return `${quoted(title)}${pr_number === null ? '' : ` (#${pr_number})`}${where}`
}

function whoOf({ actor, agent, author_login: login }: Described): string {
  const details = [
    ...(isOtherName(login, actor) ? [quoted(login)] : []),
    ...(isOtherName(agent, actor) ? [`with ${quoted(agent)}`] : []),
  ]
  return quoted(actor) + (details.length === 0 ? '' : ` (${details.join(', ')})`)
}

/** Whom to talk to, who may have chosen any name: `#131 (“Ana”, “ana-gh”)`, or `“Ana” (“ana-gh”)`. */
export function contactName(work: Described): string {
  const { isStranger, actor, author_login: login, pr_number } = work
  if (isStranger || !isOtherName(login, actor)) return shortName(work)
  return pr_number === null
    ? `${quoted(actor)} (${quoted(login)})`
    : `#${pr_number} (${quoted(actor)}, ${quoted(login)})`
}

/** The short name: `#131 (“ana”)`, or `“ana”`. */
export function shortName(work: Described): string {
  const name = quoted(work.isStranger ? loginOf(work) : work.actor)
  return work.pr_number === null ? name : `#${work.pr_number} (${name})`
}

/** Of pull requests the actor is the login. */
function loginOf({ author_login, actor }: Described): string {
  return author_login ?? actor
}

/** `pushed 2 h ago`, `seen 4 min ago`, or where nothing was seen since, `opened 3 days ago`. */
export function freshness(
  { source, began_at, pushed_at, seen_at }: Pick<Described, 'source' | 'began_at' | 'pushed_at' | 'seen_at'>,
  now: Date,
): string {
  const isPull = source === 'pull_request'
  if (pushed_at !== null && (isPull || seen_at === null || pushed_at >= seen_at)) return `pushed ${ago(pushed_at, now)}`
  if (seen_at !== null) return `${isPull ? 'pushed' : 'seen'} ${ago(seen_at, now)}`
  return `${isPull ? 'opened' : 'begun'} ${ago(began_at, now)}`
}
