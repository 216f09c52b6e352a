import { z } from 'zod'
import {
  Activity,
  ActivityCreate,
  ActivityPage,
  ActivityQuery,
  ActivityUpdate,
  ActivityUpdateQuery,
  Archived,
  Heartbeat,
  RetrievedActivity,
} from '../../../core/schemas/activity.ts'
import { Overlap, OverlapCheck } from '../../../core/schemas/overlap.ts'
import { activityChanged } from '../../check-runs/changed.ts'
import type { Context } from '../../context.ts'
import type { Activity as Row } from '../../db/generated/client.ts'
import { notCompared } from '../../overlap/answer.ts'
import { type Checked, checkProposal, checkRecord } from '../../overlap/check.ts'
import { createActivity } from '../../records/activities/activities.ts'
import { activityAnswer, activityAnswers, retrieveActivity } from '../../records/activities/answers.ts'
import { heartbeat } from '../../records/activities/heartbeat.ts'
import { listActivities } from '../../records/activities/list.ts'
import { archiveActivity, updateActivity } from '../../records/activities/update.ts'
import { presentArchived, presentBeat } from '../../records/present.ts'
import { asAppError, logFailure } from '../errors.ts'
import { nothing, operation } from '../operation.ts'
import { mostItems, showActivity, showCreated, showOverlap, showPage } from './shown.ts'

const ActivityWithOverlap = z.object({ activity: Activity, overlap: Overlap }).meta({ id: 'ActivityWithOverlap' })
const UpdatedActivity = z.union([Activity, ActivityWithOverlap]).meta({ id: 'UpdatedActivity' })

/**
 * The overlap of what was just written, begun after its commit: of two that collide, the later one sees the earlier. Check runs
 * learn of the write even where its overlap can not be told.
 */
async function checkAfterWrite(context: Context, row: Row, wait?: 'wait'): Promise<Checked> {
  let checked: Checked | undefined
  try {
    checked = await checkRecord(context, row, wait)
    return checked
  } finally {
    await activityChanged(context, row, checked?.decision)
  }
}

/** The record is there: where its overlap can not be told, an error would make callers record it twice. */
async function overlapOfCreated(context: Context, row: Row): Promise<Overlap> {
  try {
    return (await checkAfterWrite(context, row, 'wait')).overlap
  } catch (error) {
    logFailure(context.log, asAppError(error), {})
    return notCompared
  }
}

export const activityOperations = [
  operation({
    id: 'listActivities',
    method: 'get',
    path: '/activity',
    need: 'read',
    summary: 'List the activities',
    input: ActivityQuery,
    answer: ActivityPage,
    tool: {
      name: 'list_activities',
      description: 'Who works on what at the moment, newest first.',
      takes: ['status', 'branch', 'issue', 'mine', 'cursor'],
      sends: { limit: String(mostItems) },
      show: showPage,
    },
    async run(context, query) {
      // It may begin a reading of the pull requests, and does not wait for it.
      const [{ items, next_cursor }] = await Promise.all([listActivities(context, query), context.observe()])
      return { items: await activityAnswers(context, items), next_cursor }
    },
  }),
  operation({
    id: 'createActivity',
    method: 'post',
    path: '/activity',
    need: 'write',
    status: 201,
    isCreate: true,
    summary: 'Announce work',
    input: ActivityCreate,
    answer: ActivityWithOverlap,
    tool: {
      name: 'start_activity',
      description: 'Use this when you begin work, so that others see it. Answers with the record and what collides.',
      takes: ['title', 'summary', 'actor', 'agent', 'branch', 'base_branch', 'scope', 'risk', 'issues', 'pr_url'],
      show: showCreated,
    },
    async run(context, input) {
      const row = await createActivity(context, input)
      const overlap = await overlapOfCreated(context, row)
      return { activity: await activityAnswer(context, row), overlap }
    },
  }),
  operation({
    id: 'checkOverlap',
    method: 'post',
    path: '/activity/check',
    need: 'read',
    summary: 'Check whether work would collide',
    input: OverlapCheck,
    answer: Overlap,
    tool: {
      name: 'check_overlap',
      description:
        'Use this before you edit: what of the work in flight would you collide with, and what is to be known? ' +
        'Go ahead only where "clear" is true.',
      takes: ['branch', 'base_branch', 'scope', 'tags', 'issues', 'activity_id'],
      show: showOverlap,
    },
    run: checkProposal,
  }),
  operation({
    id: 'getActivity',
    method: 'get',
    path: '/activity/:id',
    need: 'read',
    summary: 'Retrieve an activity',
    input: nothing,
    answer: RetrievedActivity,
    tool: { name: 'get_activity', description: 'One activity with its changed files.', show: showActivity },
    run: (context, _input, { id }) => retrieveActivity(context, id),
  }),
  operation({
    id: 'updateActivity',
    method: 'patch',
    path: '/activity/:id',
    need: 'write',
    summary: 'Change an activity',
    input: ActivityUpdate,
    query: ActivityUpdateQuery,
    answer: UpdatedActivity,
    tool: {
      name: 'update_activity',
      description:
        'Use this when your paths, branch, issues or status change, or with heartbeat: true while you work on.',
      takes: ['title', 'summary', 'branch', 'base_branch', 'scope', 'risk', 'issues', 'pr_url', 'status', 'heartbeat'],
      query: { overlap: 'true' },
      show: showCreated,
    },
    async run(context, input, { id, query }) {
      const row = await updateActivity(context, id, input)
      const hasFields = Object.keys(input).some((field) => field !== 'heartbeat')
      if (!query.overlap && hasFields) await activityChanged(context, row)
      const check = hasFields ? checkAfterWrite : checkRecord
      const checked = query.overlap ? await check(context, row) : undefined
      const activity = await activityAnswer(context, row)
      return checked ? { activity, overlap: checked.overlap } : activity
    },
  }),
  operation({
    id: 'heartbeatActivity',
    method: 'post',
    path: '/activity/:id/heartbeat',
    need: 'write',
    summary: 'Say that the work goes on',
    input: nothing,
    answer: Heartbeat,
    async run(context, _input, { id }) {
      return presentBeat(await heartbeat(context, id))
    },
  }),
  operation({
    id: 'archiveActivity',
    method: 'post',
    path: '/activity/:id/archive',
    need: 'write',
    summary: 'End an activity',
    input: nothing,
    answer: Archived,
    tool: { name: 'finish_activity', description: 'Use this when the work is done or given up. May be repeated.' },
    async run(context, _input, { id }) {
      const row = await archiveActivity(context, id)
      await activityChanged(context, row)
      return presentArchived(row)
    },
  }),
]
