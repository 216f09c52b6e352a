import { z } from 'zod'
import { categories } from '../../../core/enums.ts'
import { Observed, presentState } from '../../../core/schemas/observation.ts'
import type { Context } from '../../context.ts'
import { findLastDelivery } from '../../github/webhooks/delivery-store.ts'
import { visibleObservation } from '../../observed/visible-observation.ts'
import { observedKinds, pullRequestReports } from '../../records/settings/schema.ts'
import { reasonsOfOff, reportStateOf, reportStates } from '../../report/report-state.ts'
import { defineOperation, ignoredBody, noQuery, type Operation } from './define.ts'

const source = z.enum(['default', 'environment', 'file'])
const milliseconds = z.int().min(0).describe('In milliseconds.')

/** The settings in force in a repository, and where they come from (docs/rules.md#settings-endpoint). */
export const RepositorySettings = z.object({
  settings: z.object({
    activity_ttl_ms: milliseconds,
    max_activity_ttl_ms: milliseconds.nullable().describe('In milliseconds; null if there is no cap.'),
    notable_ttl_ms: milliseconds,
    disabled_notable_categories: z.array(z.enum(categories)),
    pr_reminder_after_ms: milliseconds,
    areas: z.record(z.string(), z.array(z.string())).describe('Maps each area label to its path globs.'),
    enabled: z.boolean().describe('Whether work is observed and reported here at all.'),
    observe: z.array(z.enum(observedKinds)).describe('The kinds of work that are observed on GitHub.'),
    pull_request_ttl_ms: milliseconds,
    branch_ttl_ms: milliseconds,
    max_files: z.int().min(1).describe('Work with more changed files gets only one line in texts.'),
    pull_request_report: z
      .enum(pullRequestReports)
      .describe('When a pull request gets a check run: `check` always, `ready` unless it is a draft, `off` never.'),
    pull_request_report_notables: z
      .boolean()
      .describe('Whether check runs name the notables that a pull request meets.'),
    ignored_paths: z.array(z.string()).describe('Path globs of changed files that are not compared.'),
    ignored_branches: z.array(z.string()).describe('Globs of branch names that are not observed.'),
    ignored_authors: z.array(z.string()).describe('Logins whose observed work is never an overlap.'),
  }),
  sources: z
    .object({
      activity_ttl_ms: source,
      max_activity_ttl_ms: source,
      notable_ttl_ms: source,
      disabled_notable_categories: source,
      pr_reminder_after_ms: source,
      areas: source,
      enabled: source,
      observe: source,
      pull_request_ttl_ms: source,
      branch_ttl_ms: source,
      max_files: source,
      pull_request_report: source,
      pull_request_report_notables: source,
      ignored_paths: source,
      ignored_branches: source,
      ignored_authors: source,
    })
    .describe('Where each setting comes from.'),
  file: z
    .object({ repository: z.string(), path: z.string(), sha: z.string(), read_at: z.iso.datetime() })
    .nullable()
    .describe('The settings file in force, if there is one.'),
  problems: z
    .array(z.object({ field: z.string(), message: z.string() }))
    .describe('What is wrong with the newest file. The last valid one stays in force.'),
  service: z
    .object({
      access: z.enum(['read', 'write']).describe('What this token may do here.'),
      app: z.object({
        state: z
          .enum(['installed', 'not_installed', 'not_configured', 'unknown'])
          .describe('Whether the GitHub App of the service is installed here. `unknown`: GitHub does not say now.'),
        permissions: z
          .record(z.string(), z.string())
          .nullable()
          .describe('What it may use here; `null` unless it is installed.'),
        last_webhook_at: z.iso
          .datetime()
          .nullable()
          .describe('The minute of the last webhook that the service handled, of any repository.'),
      }),
      observed: Observed,
    })
    .describe('The state of the service for this repository. Read-only.'),
  report: z
    .object({
      state: z
        .enum(reportStates)
        .describe('`permission_missing`: the owner of the installation has not approved `checks: write`.'),
      reason: z
        .enum(reasonsOfOff)
        .nullable()
        .describe(
          'Why it is `off`: the service has no App (`no_app`) or writes nothing (`shadow`), `pull_request_report` is off (`setting`), `observe` or `enabled` leaves pull requests out (`not_observed`), or the App does not read the repository (`not_read`). Else null.',
        ),
      approve_url: z.string().nullable().describe('Where the owner approves it.'),
    })
    .describe('Whether a check run on each pull request says what it collides with.'),
})

/** What the service knows of the repository (docs/rules.md#settings-endpoint). */
async function serviceOf({ appStatus, viewer, db }: Context) {
  const { state, permissions } = await appStatus()
  const observed = presentState((await visibleObservation(viewer, { reads: false })).observed)
  const last = await findLastDelivery(db)
  return {
    app: { state, permissions: permissions && { ...permissions }, last_webhook_at: startOfMinute(last) },
    observed,
  }
}

/** The time to the minute, since a webhook may be about a repository that the caller does not see. */
function startOfMinute(instant: Date | null): string | null {
  return instant && new Date(Math.floor(instant.getTime() / 60_000) * 60_000).toISOString()
}

export const settingsOperations: readonly Operation[] = [
  defineOperation({
    method: 'get',
    path: '/settings',
    operationId: 'getSettings',
    summary: 'Read the settings',
    description:
      'The settings in force in this repository, from `.github/headsup.yml` or the defaults of the service, and what the service knows of the repository.',
    access: 'read',
    query: noQuery,
    body: ignoredBody,
    success: 200,
    answer: RepositorySettings,
    async handle(context, { mayWrite }) {
      const { settings, sources, file, problems } = context.effectiveSettings
      const origin = file && { ...file, read_at: file.read_at.toISOString() }
      const service = {
        access: (await mayWrite()) ? ('write' as const) : ('read' as const),
        ...(await serviceOf(context)),
      }
      const report = await reportStateOf(context, service.app.state !== 'not_configured')
      return { status: 200, body: { settings, sources, file: origin, problems, service, report } }
    },
  }),
]
