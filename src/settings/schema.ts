import { z } from 'zod'
import { categories } from '../enums.ts'
import { addFault } from '../lib/input.ts'
import { areaLabel, globs } from '../scope/schema.ts'

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
  }
}

const disabledCategories = z.array(z.enum(categories)).max(categories.length)

/** Maps an area label to path globs. A scope that names the area also names these paths. At most 100 areas of 100 globs. */
const areaMap = z
  .unknown()
  .superRefine((areas, context) => {
    // zod's record drops this key without an issue.
    if (typeof areas !== 'object' || areas === null || !Object.hasOwn(areas, '__proto__')) return
    addFault(context, 'invalid_value', 'is not a name that an area can have', ['__proto__'])
  })
  .pipe(
    z.record(areaLabel, globs).superRefine((areas, context) => {
      if (Object.keys(areas).length > 100) addFault(context, 'too_many', 'at most 100 areas')
    }),
  )

/** The keys that a settings file or the operator's environment may set. */
export function settingsKeys(shortestTime: number) {
  return {
    ...durations(shortestTime),
    disabled_notable_categories: disabledCategories,
    areas: areaMap,
  }
}

const shapes = settingsKeys(60_000)

/** The parsed YAML of `.github/headsup.yml` (docs/rules.md#settings-file). `null` counts as absent. */
export const SettingsFile = z.strictObject({
  activity_ttl_ms: shapes.activity_ttl_ms.nullish(),
  max_activity_ttl_ms: shapes.max_activity_ttl_ms.nullish(),
  notable_ttl_ms: shapes.notable_ttl_ms.nullish(),
  disabled_notable_categories: shapes.disabled_notable_categories.nullish(),
  pr_reminder_after_ms: shapes.pr_reminder_after_ms.nullish(),
  areas: shapes.areas.nullish(),
})

export type SettingsFile = z.infer<typeof SettingsFile>

/** The settings in force in one repository. `max_activity_ttl_ms` is null if there is no maximum. */
export interface Settings {
  activity_ttl_ms: number
  max_activity_ttl_ms: number | null
  notable_ttl_ms: number
  disabled_notable_categories: z.infer<typeof disabledCategories>
  pr_reminder_after_ms: number
  areas: Record<string, string[]>
}
export type SettingsKey = keyof Settings

export const builtInSettings: Settings = {
  activity_ttl_ms: day,
  max_activity_ttl_ms: null,
  notable_ttl_ms: 7 * day,
  disabled_notable_categories: [],
  pr_reminder_after_ms: 4 * 3_600_000,
  areas: {},
}
