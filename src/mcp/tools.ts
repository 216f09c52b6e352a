import { allOperations } from '../http/routes/api.ts'
import type { Operation } from '../operations/define.ts'
import { remarkOnEnded } from './ended-remark.ts'
import type { Remark } from './remark.ts'

/** What a tool does to the records, as MCP's annotations call it. The world is closed: nothing but Headsup's records. */
type Effect = 'reads' | 'adds' | 'overwrites'

interface ToolFacts {
  name: string
  title: string
  /** When to use it, and what to do with the answer. */
  description: string
  effect: Effect
  /** Whether the same call again changes nothing more. */
  repeatable?: boolean
  /** Arguments that the route takes and does not use: a model is not shown them. */
  unlisted?: readonly string[]
  /** What a model has to be told beside the route's answer. */
  remark?: Remark
}

/** A route as a model calls it. */
export interface Tool extends ToolFacts {
  route: Operation
  /** The argument that names the record, where there is one. */
  idArgument?: 'activity_id' | 'notable_id'
}

/** The tool of every operation of the API, in the order in which work needs them. */
const facts: Record<string, ToolFacts> = {
  checkOverlap: {
    name: 'check_overlap',
    title: 'Check for overlap',
    description:
      'Use this before you start work, and before you widen it: does what you plan collide with the work of others, and what is there to know first? Give branch, base_branch and scope: the paths that you will touch, as globs, and areas. Saves nothing and needs read access only. Once your work is announced, pass its activity_id, or you collide with yourself and with what your branch is built on.\n\nThe answer: overlap_detected false: go on, unless reason says that this is not the whole answer. True: tell the person that you work for what reason and recommended_action say, look at related_activity_ids (get_activity) and related_notable_ids (get_notable), worst first, then narrow the scope, wait, or have them talk to who is there. severity: low is a shared area, medium is paths that meet, high is the same file. expected_activity_ids are your own and stacked work: no overlap. A notable about the whole repository that is blocking or critical, such as a freeze, is an overlap for every plan; the others are in repository_notable_ids: read them once. reuse_opportunities is merged work in the same place: look there before you write it anew.',
    effect: 'reads',
    unlisted: ['title', 'summary', 'actor', 'agent', 'risk', 'pr_url', 'draft_pr', 'blocking'],
  },
  createActivity: {
    name: 'start_activity',
    title: 'Announce work',
    description:
      'Use this when you begin work, so that others see it. actor is the person that you work for, agent is you. Keep activity.id of the answer: heartbeat_activity, update_activity and finish_activity take it as activity_id. overlap of the answer is that of check_overlap: act on it likewise. It never refuses the work. The record expires after 24 hours unless the repository says otherwise; heartbeats extend it. Send an idempotency_key when you may have to repeat the call: the same key and arguments make one record. If this branch has an activity already (list_activities with branch), go on with that one instead.',
    effect: 'adds',
  },
  heartbeatActivity: {
    name: 'heartbeat_activity',
    title: 'Say that the work goes on',
    description:
      'Use this every hour or so while the work goes on: expires_at moves out. It never revives ended work: where the answer has a remark, the activity has ended, and the remark says what to do.',
    effect: 'adds',
    repeatable: true,
    remark: remarkOnEnded,
  },
  updateActivity: {
    name: 'update_activity',
    title: 'Change an activity',
    description:
      'Use this when the work changes place, status, branch or pull request. Only the arguments sent change; a scope is replaced whole; null clears a text that may be empty. Answers the activity without an overlap: after widening the scope, call check_overlap with this activity_id. Ended work moves to archived alone. Anybody who may write to the repository may change anybody’s record: change only your own unless you are asked to.',
    effect: 'overwrites',
    repeatable: true,
  },
  archiveActivity: {
    name: 'finish_activity',
    title: 'End an activity',
    description:
      'Use this when the work is done or given up and no merge will tell: it leaves the list, for good. Work whose pull request is merged needs it only where the GitHub App is not installed; update_activity with status merged says more there. Calling it again changes nothing.',
    effect: 'overwrites',
    repeatable: true,
  },
  listActivities: {
    name: 'list_activities',
    title: 'List the activities',
    description:
      'Use this to see who works on what: live work, newest first. For "do I collide?" use check_overlap, which compares exactly. Filters restrict; status with an ended status lists that status alone. limit 20 keeps the answer short. Where next_cursor is not null there is more: call again with it as cursor and the same filters.',
    effect: 'reads',
  },
  getActivity: {
    name: 'get_activity',
    title: 'Read an activity',
    description:
      'Use this to look at one activity that a check named, or at your own. Ended ones can be read until they are deleted. pr_reminder_due true on your own: it is time to open a pull request, and to put its pr_url on the activity by update_activity.',
    effect: 'reads',
  },
  listNotables: {
    name: 'list_notables',
    title: 'List the notables',
    description:
      'Use this once when you come to a repository: what to know before starting (decisions, migrations, freezes, workarounds), newest first, the active ones unless status says otherwise. area restricts to one place, limit 20 keeps the answer short. Where next_cursor is not null there is more: call again with it as cursor and the same filters.',
    effect: 'reads',
  },
  createNotable: {
    name: 'raise_notable',
    title: 'Raise a notable',
    description:
      'Use this when everybody who works in this repository has to know something that no branch tells: a decision, a migration, a freeze, a workaround. Not for work in progress: that is start_activity. An empty scope means the whole repository: with blocking or critical importance every check then finds an overlap. Ask the person that you work for first: everybody sees it. It lives for 7 days unless the repository says otherwise. The notables that supersedes names are archived with it. Send an idempotency_key when you may have to repeat the call.',
    effect: 'overwrites',
  },
  getNotable: {
    name: 'get_notable',
    title: 'Read a notable',
    description: 'Use this to read a notable that a check named. Ended ones can be read until they are deleted.',
    effect: 'reads',
  },
  updateNotable: {
    name: 'update_notable',
    title: 'Change a notable',
    description:
      'Use this to correct a notable. Only the arguments sent change; null clears what may be empty. Where what is known has changed, raise a new one that supersedes it instead.',
    effect: 'overwrites',
    repeatable: true,
  },
  archiveNotable: {
    name: 'archive_notable',
    title: 'End a notable',
    description: 'Use this when a notable is no longer so: it leaves the list. Calling it again changes nothing.',
    effect: 'overwrites',
    repeatable: true,
  },
  getSettings: {
    name: 'get_settings',
    title: 'Read the settings',
    description:
      'Use this to see what is in force in the repository: how long records live, which categories of notables are disabled, which paths an area stands for, and what is wrong with its settings file (problems).',
    effect: 'reads',
  },
}

function toolOf(operationId: string, own: ToolFacts): Tool {
  const route = allOperations.find((candidate) => candidate.operationId === operationId)
  if (!route) throw new Error(`The tool ${own.name} is of an operation that is not in the table: ${operationId}`)
  if (!route.path.includes('/:id')) return { ...own, route }
  return { ...own, route, idArgument: route.path.startsWith('/notables') ? 'notable_id' : 'activity_id' }
}

export const tools: readonly Tool[] = Object.entries(facts).map(([operationId, own]) => toolOf(operationId, own))
