import { z } from 'zod'
import { categories } from '../enums.ts'
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
  }),
  sources: z
    .object({
      activity_ttl_ms: source,
      max_activity_ttl_ms: source,
      notable_ttl_ms: source,
      disabled_notable_categories: source,
      pr_reminder_after_ms: source,
      areas: source,
    })
    .describe('Where each setting comes from.'),
  file: z
    .object({ repository: z.string(), path: z.string(), sha: z.string(), read_at: z.iso.datetime() })
    .nullable()
    .describe('The settings file in force, if there is one.'),
  problems: z
    .array(z.object({ field: z.string(), message: z.string() }))
    .describe('What is wrong with the newest file. The last valid one stays in force.'),
})

export const settingsOperations: readonly Operation[] = [
  defineOperation({
    method: 'get',
    path: '/settings',
    operationId: 'getSettings',
    summary: 'Read the settings',
    description: 'The settings in force in this repository, from `.github/headsup.yml` or the defaults of the service.',
    access: 'read',
    query: noQuery,
    body: ignoredBody,
    success: 200,
    answer: RepositorySettings,
    async handle({ effectiveSettings: { settings, sources, file, problems } }) {
      const origin = file && { ...file, read_at: file.read_at.toISOString() }
      return { status: 200, body: { settings, sources, file: origin, problems } }
    },
  }),
]
