import { type Json, textField, textList } from '../client/json.ts'
import type { CommandContext } from '../command-context.ts'

/**
 * Ids of the notables about the whole repository, such as a freeze, that the response of a check names and that the session
 * was not shown. Each is shown once.
 */
export async function findNewNotables(
  { api }: CommandContext,
  overlap: Json,
  shown: readonly string[],
): Promise<readonly string[]> {
  const reason = textField(overlap, 'reason') ?? ''
  const others = textList(overlap, 'related_notable_ids').filter((id) => !shown.includes(id) && reason.includes(id))
  if (others.length === 0) return []
  // A check without a scope finds exactly these notables. When it fails, they are shown once more.
  const check = await api.call('POST', '/activity/check', {}).catch((): Json => ({}))
  const matchEverything = textList(check, 'related_notable_ids')
  return others.filter((id) => matchEverything.includes(id))
}
