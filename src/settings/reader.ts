import type { Repository } from '../context.ts'
import { type EffectiveSettings, mergeSettings } from './effective.ts'
import type { Settings } from './schema.ts'

/** Without an installed App there is no settings file: the operator's defaults are in force everywhere. */
export function createSettingsReader(operator: Partial<Settings>) {
  const effective: EffectiveSettings = { ...mergeSettings(operator, {}), file: null, problems: [] }
  return async (_repository: Repository): Promise<EffectiveSettings> => effective
}
