import { z } from 'zod'
import { defaultIgnoredAuthors, defaultIgnoredBranches, defaultIgnoredPaths } from '../../../core/changes/ignored.ts'
import { categories } from '../../../core/enums.ts'
import { addFault } from '../../../core/lib/input.ts'
import { areaLabel, globs } from '../../../core/scope/schema.ts'

const day = 86_400_000

/** The ranges of the durations, in ms (docs/rules.md#setting-keys). `shortest` is lower for an operator's defaults. */
function durations(shortest: number) {
  return {
    activity_ttl_ms: z
      .int()
      .min(shortest)
      .max(30 * day),
    max_activity_ttl_ms: z.int().min(shortest),
    notable_ttl_ms: z
      .int()
      .min(shortest)
      .max(365 * day),
    pr_reminder_after_ms: z.int().min(0),
    pull_request_ttl_ms: z
      .int()
      .min(shortest)
      .max(365 * day),
    branch_ttl_ms: z
      .int()
      .min(shortest)
      .max(365 * day),
  }
}

type GlobList = z.ZodType<string[], string[]>

/** Globs that were saved, under limits that may have been wider then. */
const savedGlobs = z.array(z.string())

const disabledCategories = z.array(z.enum(categories)).max(categories.length)

/** Maps an area label to path globs. A scope that names the area also names these paths. At most 100 areas of 100 globs. */
function areaMap(globList: GlobList) {
  return z
    .unknown()
    .superRefine((areas, context) => {
      // zod's record drops this key without an issue.
      if (typeof areas !== 'object' || areas === null || !Object.hasOwn(areas, '__proto__')) return
      addFault(context, 'invalid_value', 'is not a name that an area can have', ['__proto__'])
    })
    .pipe(
      z.record(areaLabel, globList).superRefine((areas, context) => {
        if (Object.keys(areas).length > 100) addFault(context, 'too_many', 'at most 100 areas')
      }),
    )
}

/** The kinds of work that are observed on GitHub. */
export const observedKinds = ['pull_requests', 'branches'] as const
/** When a pull request gets a check run: always, unless it is a draft, or never. */
export const pullRequestReports = ['check', 'ready', 'off'] as const

/** The login of a user or of an App, as in `alice` or `renovate[bot]`. */
const login = z.string().superRefine((text, context) => {
  if (/^[A-Za-z0-9_-]{1,100}(\[bot\])?$/.test(text)) return
  const message = 'must be the login of a GitHub account without @, such as renovate[bot]'
  addFault(context, 'invalid_value', message)
})

/**
 * The keys about observed work. In the three lists the item `default` means the items of the list that they replace.
 */
function observedWork(globList: GlobList) {
  return {
    enabled: z.boolean(),
    observe: z.array(z.enum(observedKinds)).max(100),
    max_files: z.int().min(1).max(3_000),
    pull_request_report: z.enum(pullRequestReports),
    pull_request_report_notables: z.boolean(),
    ignored_paths: globList,
    ignored_branches: globList,
    ignored_authors: z.array(login).max(100),
  }
}

/** The keys that a settings file or the operator's environment may set. */
export function settingsKeys(shortestTime: number, globList: GlobList = globs) {
  return {
    ...durations(shortestTime),
    disabled_notable_categories: disabledCategories,
    areas: areaMap(globList),
    ...observedWork(globList),
  }
}

const shapes = settingsKeys(60_000)
const { areas, ignored_paths, ignored_branches } = settingsKeys(60_000, savedGlobs)

/** The parsed YAML of `.github/headsup.yml` (docs/rules.md#settings-file). `null` counts as absent. */
export const SettingsFile = z.strictObject({
  activity_ttl_ms: shapes.activity_ttl_ms.nullish(),
  max_activity_ttl_ms: shapes.max_activity_ttl_ms.nullish(),
  notable_ttl_ms: shapes.notable_ttl_ms.nullish(),
  disabled_notable_categories: shapes.disabled_notable_categories.nullish(),
  pr_reminder_after_ms: shapes.pr_reminder_after_ms.nullish(),
  areas: shapes.areas.nullish(),
  enabled: shapes.enabled.nullish(),
  observe: shapes.observe.nullish(),
  pull_request_ttl_ms: shapes.pull_request_ttl_ms.nullish(),
  branch_ttl_ms: shapes.branch_ttl_ms.nullish(),
  max_files: shapes.max_files.nullish(),
  pull_request_report: shapes.pull_request_report.nullish(),
  pull_request_report_notables: shapes.pull_request_report_notables.nullish(),
  ignored_paths: shapes.ignored_paths.nullish(),
  ignored_branches: shapes.ignored_branches.nullish(),
  ignored_authors: shapes.ignored_authors.nullish(),
})

export type SettingsFile = z.infer<typeof SettingsFile>

/** The same as it was saved: globs stay valid whatever the limits are now. */
export const SavedSettingsFile = SettingsFile.extend({
  areas: areas.nullish(),
  ignored_paths: ignored_paths.nullish(),
  ignored_branches: ignored_branches.nullish(),
})

/** The settings in force in one repository. `max_activity_ttl_ms` is null if there is no maximum. */
export interface Settings {
  activity_ttl_ms: number
  max_activity_ttl_ms: number | null
  notable_ttl_ms: number
  disabled_notable_categories: z.infer<typeof disabledCategories>
  pr_reminder_after_ms: number
  areas: Record<string, string[]>
  /** Whether work is observed and reported here at all. */
  enabled: boolean
  observe: (typeof observedKinds)[number][]
  /** How long after its last push a pull request becomes stale. */
  pull_request_ttl_ms: number
  /** How long after its last push a branch is observed. */
  branch_ttl_ms: number
  /** Work with more changed files is wide. */
  max_files: number
  pull_request_report: (typeof pullRequestReports)[number]
  /** Whether check runs name the notables that a pull request meets. */
  pull_request_report_notables: boolean
  /** Path globs. */
  ignored_paths: string[]
  /** Globs over branch names. */
  ignored_branches: string[]
  /** Logins. Their case does not matter. */
  ignored_authors: string[]
}
export type SettingsKey = keyof Settings

export const builtInSettings: Settings = {
  activity_ttl_ms: day,
  max_activity_ttl_ms: null,
  notable_ttl_ms: 7 * day,
  disabled_notable_categories: [],
  pr_reminder_after_ms: 4 * 3_600_000,
  areas: {},
  enabled: true,
  observe: ['pull_requests'],
  pull_request_ttl_ms: 30 * day,
  branch_ttl_ms: 3 * day,
  max_files: 100,
  pull_request_report: 'check',
  pull_request_report_notables: true,
  ignored_paths: [...defaultIgnoredPaths],
  ignored_branches: [...defaultIgnoredBranches],
  ignored_authors: [...defaultIgnoredAuthors],
}
