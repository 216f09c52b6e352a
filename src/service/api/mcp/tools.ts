import { allOperations } from '../http/routes/api.ts'
import type { Operation } from '../operations/define.ts'
import { remarkOnEnded } from './heartbeat-remark.ts'
import { onlyRecorded, remarkOnOthers, remarkOnSeenPullRequest } from './observed-work.ts'
import type { Remark } from './remark.ts'
import { shortenFiles } from './results/shorten-files.ts'
import { defaultPage, shortenCollisions, shortenList, shortenOverlap, shortenTasks } from './results/shorten-lists.ts'

/** What a tool does to the records of Headsup. It becomes the hints of MCP's annotations. */
type Effect = 'reads' | 'adds' | 'overwrites'

interface ToolFacts {
  name: string
  title: string
  /** When to use the tool, and what to do with its result. */
  description: string
  effect: Effect
  /** Whether repeating the same call changes nothing more. */
  repeatable?: boolean
  /** Arguments that the operation accepts and does not use. They are not shown to models. */
  unlisted?: readonly string[]
  /** The tool whose arguments are the fields of each item of its list: they are not repeated. */
  itemsAs?: string
  /** Values of arguments that the model leaves out. */
  defaults?: Readonly<Record<string, unknown>>
  /** Adds a remark to the result of the operation, from what is known afterwards. */
  remark?: Remark
  /** The same, from what is known before. A tool has at most one of the two. */
  remarkBefore?: Remark
  /** The description of the remark that `shorten` adds, if it does. */
  shortenedRemark?: string
  /** Shortens the result, and says so in it. */
  shorten?(answer: Record<string, unknown>): Record<string, unknown>
}

/** An operation as a tool for models. */
export interface Tool extends ToolFacts {
  route: Operation
  /** The argument with the id of the record, if there is one. */
  idArgument?: 'activity_id' | 'notable_id'
}

/** The tool of every operation of the API, by operation id, in the order of use. */
const facts: Record<string, ToolFacts> = {
  checkOverlap: {
    name: 'check_overlap',
    title: 'Check for overlap',
    description:
      'Use this before you start work, and before you widen it: does your plan collide with the work of others, and what should you know first? Give branch, base_branch, scope (the paths that you will touch, as globs, and areas), issues (the numbers that you mean to close) and, once files are changed, changes. Once your work is announced, pass its activity_id, or you may collide with yourself and the work under your branch.\n\nThe result: clear true: go ahead. False: obstacles and reason say why. With overlap_detected tell the person you work for what reason and recommended_action say, look at related_activity_ids (get_activity) and related_notable_ids (get_notable), worst first, then narrow the scope, wait, or suggest that they talk. severity: low is a shared area, medium the same issue, overlapping paths or close lines, high the same file or lines. Open pull requests count by themselves. collisions has the lines of both; nearby_activity_ids change other lines of your files: no overlap. obstacles with cut_off or unread: some may be missing. expected_activity_ids are your own and stacked work: no overlap. repository_notable_ids concern everyone: read them once. reuse_opportunities is merged work for your issues or in the same place: look there before you write it again.',
    effect: 'reads',
    shorten: shortenOverlap,
    unlisted: ['title', 'summary', 'actor', 'agent', 'risk', 'pr_url', 'draft_pr', 'blocking'],
  },
  checkTasks: {
    name: 'check_tasks',
    title: 'Check many tasks',
    description:
      'Use this before you hand out 2 to 50 tasks: which may run side by side? pairs: those that collide with one another, by index; do these in turn. results: as check_overlap.',
    effect: 'reads',
    shorten: shortenTasks,
    itemsAs: 'check_overlap',
  },
  createActivity: {
    name: 'start_activity',
    title: 'Announce work',
    description:
      'Use this when you begin work, so that others see it. actor is the person you work for, agent is you. Keep activity.id of the result: heartbeat_activity, update_activity and finish_activity take it as activity_id. overlap is the result of check_overlap: act on it in the same way. An overlap never prevents the create. The activity expires after 24 hours by default; heartbeats extend it. With the same idempotency_key and arguments a repeated call creates one record. If this branch already has a recorded activity (list_activities with branch), use that one instead; an open pull request of yours is no reason to skip this.',
    effect: 'adds',
    shorten: shortenOverlap,
    remarkBefore: remarkOnSeenPullRequest,
  },
  heartbeatActivity: {
    name: 'heartbeat_activity',
    title: 'Say that the work goes on',
    description:
      'Use this about every hour while you work: it extends expires_at. A remark in the result says that it has ended, and what to do.',
    effect: 'adds',
    repeatable: true,
    remark: remarkOnEnded,
  },
  updateActivity: {
    name: 'update_activity',
    title: 'Change an activity',
    description:
      'Use this when the scope, changed lines, status, branch or pull request of the work change. Only the arguments sent change; a scope is replaced as a whole; null clears an optional text. The result has no overlap: after widening the scope, call check_overlap with this activity_id. An ended activity can only move to archived. Change only your own unless you are asked to.',
    effect: 'overwrites',
    repeatable: true,
  },
  archiveActivity: {
    name: 'finish_activity',
    title: 'End an activity',
    description:
      'Use this when the work is done or abandoned and no merge ends it: the activity leaves the list for good. If its pull request merges, this is needed only where the GitHub App is not installed.',
    effect: 'overwrites',
    repeatable: true,
  },
  listActivities: {
    name: 'list_activities',
    title: 'List the activities',
    description:
      'Use this to see who works on what: recorded live activities, newest first; a remark counts open pull requests and pushed branches. check_overlap says whether you collide. Up to 20 paths each; get_activity has all. More: next_cursor as cursor, same filters.',
    effect: 'reads',
    defaults: { ...onlyRecorded, ...defaultPage },
    shorten: shortenList,
    remark: remarkOnOthers,
  },
  getActivity: {
    name: 'get_activity',
    title: 'Read an activity',
    description:
      'Use this to read one activity that a check named, or your own. Ended ones too. If pr_reminder_due is true on your own: open a pull request, and set its pr_url with update_activity.',
    effect: 'reads',
    shorten: shortenFiles,
    shortenedRemark: 'Present if the result is shortened.',
  },
  listCollisions: {
    name: 'list_collisions',
    title: 'List the collisions',
    description:
      'Use this to see which live activities collide, worst first; truncated: there may be more, even if none is listed. activity_id: only yours.',
    effect: 'reads',
    defaults: defaultPage,
    shorten: shortenCollisions,
  },
  listNotables: {
    name: 'list_notables',
    title: 'List the notables',
    description:
      'Use this once when you start in a repository: what to know first (decisions, migrations, freezes, workarounds), newest first, by default the active ones. More: next_cursor as cursor, same filters.',
    effect: 'reads',
    defaults: defaultPage,
    shorten: shortenList,
  },
  createNotable: {
    name: 'raise_notable',
    title: 'Raise a notable',
    description:
      'Use this when everyone who works in this repository has to know something that is not tied to a branch: a decision, a migration, a freeze, a workaround. Not for work in progress: use start_activity. An empty scope means the whole repository: if it is blocking or critical, every check then finds an overlap. Ask the person you work for first: everyone sees it. It expires after 7 days by default. The notables in supersedes are archived with it. Send an idempotency_key to repeat it safely.',
    effect: 'overwrites',
  },
  getNotable: {
    name: 'get_notable',
    title: 'Read a notable',
    description: 'Use this to read a notable that a check named. Ended ones too.',
    effect: 'reads',
  },
  updateNotable: {
    name: 'update_notable',
    title: 'Change a notable',
    description:
      'Use this to correct a notable. Only the arguments sent change; null clears an optional field. If the facts have changed, create a new one that supersedes it instead.',
    effect: 'overwrites',
    repeatable: true,
  },
  archiveNotable: {
    name: 'archive_notable',
    title: 'End a notable',
    description: 'Use this when a notable is no longer true: it leaves the list.',
    effect: 'overwrites',
    repeatable: true,
  },
  getSettings: {
    name: 'get_settings',
    title: 'Read the settings',
    description:
      'Use this to see the settings in force in the repository: how long records live, which categories of notables are disabled, which paths an area stands for, and what is wrong with its settings file (problems).',
    effect: 'reads',
  },
}

function toolOf(operationId: string, own: ToolFacts): Tool {
  const route = allOperations.find((candidate) => candidate.operationId === operationId)
  if (!route) throw new Error(`The tool ${own.name} has an unknown operation: ${operationId}`)
  if (!route.path.includes('/:id')) return { ...own, route }
  return { ...own, route, idArgument: route.path.startsWith('/notables') ? 'notable_id' : 'activity_id' }
}

export const tools: readonly Tool[] = Object.entries(facts).map(([operationId, own]) => toolOf(operationId, own))
