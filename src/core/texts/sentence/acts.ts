import type { ChangedFile } from '../../changes/schema.ts'
import type { Activity } from '../../schemas/activity.ts'
import { issueList } from '../issue-list.ts'
import { lineList } from '../line-list.ts'
import { type Meeting, type OwnPair, pullNumber } from './sentence-parts.ts'

/** What a person can do next. */
export type Act = { kind: 'open'; label: string; href: string } | { kind: 'copy'; label: string; text: string }

/** Only such names go into a text to copy: it is pasted into a shell or a chat, and other people chose the names. */
const safeName = /^[A-Za-z0-9_][A-Za-z0-9._/-]*$/
const safeLogin = /^[A-Za-z0-9][A-Za-z0-9-]{0,38}$/
const safePerson = /^[\p{L}\p{N}](?:[\p{L}\p{N}. _'’-]{0,98}[\p{L}\p{N}.])?$/u

export function isSafeName(text: string | null | undefined): text is string {
  return typeof text === 'string' && text.length <= 1_024 && safeName.test(text) && !text.includes('..')
}

/** Where the lines of the other side are, as far as it is known. */
export interface TheirFile {
  path: string
  /** The SHA-256 of the path in hexadecimal digits. GitHub names a file of a diff by it. */
  pathHash: string | undefined
  file: Pick<ChangedFile, 'status' | 'lines'> | undefined
}

/** What to do about a colliding pair: look at the lines, write to the other person, compare in the clone. */
export function actsOn(own: OwnPair, githubRepository: string | undefined, at?: TheirFile): Act[] {
  const { theirs } = own
  if (!theirs) return []
  const href = diffLink(theirs, githubRepository, at, own.pair.lines)
  const commands = commandsFor(theirs, own.pair.example_path)
  return [
    ...(href === undefined ? [] : [{ kind: 'open', label: openLabel(own), href } as const]),
    ...(own.areBothMine ? [] : [{ kind: 'copy', label: 'Copy a message', text: messageFor(own) } as const]),
    ...(commands === undefined ? [] : [{ kind: 'copy', label: 'Copy the commands', text: commands } as const]),
  ]
}

function openLabel({ pair, theirs }: OwnPair): string {
  if (pair.lines) return 'Open these lines'
  return pair.example_path === null || theirs?.pr_url === null ? 'Open the changes' : 'Open this file'
}

/** The diff of the other side at GitHub: of a pull request its lines of the file, of a branch the comparison. */
export function diffLink(
  { pr_url, branch, base_branch }: Pick<Activity, 'pr_url' | 'branch' | 'base_branch'>,
  githubRepository: string | undefined,
  at?: TheirFile,
  lines: readonly (readonly [number, number])[] | null = null,
): string | undefined {
  const isPull = /^https?:\/\/[^/@\s]+\/[\w.-]+\/[\w.-]+\/pull\/\d+$/.test(pr_url ?? '')
  if (isPull) return `${pr_url}/files${at?.pathHash ? `#diff-${at.pathHash}${lineAnchor(at, lines)}` : ''}`
  if (githubRepository === undefined || branch === null || branch.includes(':')) return undefined
  const names = base_branch === null ? [branch] : [base_branch, branch]
  return `${githubRepository}/compare/${names.map(encodeURIComponent).join('...')}`
}

/** The anchor of their lines on the old side: the range that meets ours, else the first. Empty for an added file. */
function lineAnchor({ file }: TheirFile, ours: readonly (readonly [number, number])[] | null): string {
  const lines = file?.status === 'added' ? [] : (file?.lines ?? [])
  const meets = ([first, last]: readonly [number, number]) => (ours ?? []).some(([a, b]) => first <= b && a <= last)
  const [first, last] = lines.find(meets) ?? lines[0] ?? [0, 0]
  if (first < 1) return ''
  return last > first ? `L${first}-L${last}` : `L${first}`
}

/** A text to send to the other person. Names with unusual characters are left out. */
export function messageFor({ pair, mine, theirs }: OwnPair): string {
  const { lines, same_change } = pair
  const login = theirs?.author_login
  const person = login && safeLogin.test(login) ? `@${login} ` : personOf(theirs?.actor)
  const at = lines && lines.length > 0 ? `, ${lineList(lines)}` : ''
  const works = [mine, theirs].flatMap((work) => workName(work) ?? [])
  const names = works.length === 2 ? ` (${works.join(' and ')})` : ''
  if (same_change) return `${person}we both make the same change${names}. Which of the two do we keep?`
  return `${person}we both ${whatBoth(pair)}${at}${names}. Who goes first?`
}

/** What both do, without names that have unusual characters. */
function whatBoth({ example_path: file, areas, issues = [] }: Meeting): string {
  if (isSafeName(file)) return `change ${file}`
  if (file === null && issues.length > 0) return `work on ${issueList(issues)}`
  const area = file === null ? areas.find((one) => safePerson.test(one)) : undefined
  return area === undefined ? 'change the same files' : `change in the area ${area}`
}

function personOf(actor: string | undefined): string {
  return actor !== undefined && safePerson.test(actor) ? `${actor}: ` : ''
}

function workName(work: Activity | undefined): string | undefined {
  if (!work) return undefined
  const number = pullNumber(work)
  return number === undefined ? (isSafeName(work.branch) ? work.branch : undefined) : `#${number}`
}

/** The commands that show their changes in a clone: by the number, by the SHA, or by a branch with an ordinary name. */
export function commandsFor(
  theirs: Pick<Activity, 'pr_url' | 'branch' | 'source' | 'changes'>,
  path: string | null,
): string | undefined {
  const number = pullNumber(theirs)
  const sha = theirs.source === 'branch' ? theirs.changes?.head_sha : undefined
  const ref =
    number === undefined ? (sha ?? (isSafeName(theirs.branch) ? theirs.branch : undefined)) : `pull/${number}/head`
  if (ref === undefined || !isSafeName(ref)) return undefined
  return `git fetch origin ${ref} && git diff HEAD...FETCH_HEAD${isSafeName(path) ? ` -- ${path}` : ''}`
}
