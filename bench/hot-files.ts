import type { ComparableWork } from '../src/core/rules/changed/changed-work.ts'
import { isHot } from '../src/core/rules/changed/hot-paths.ts'

/** Whether a file of one of these works is hot by the others. */
export function hotFilesOf(works: readonly ComparableWork[]): (path: string) => boolean {
  const changers = new Map<string, number>()
  for (const { byPath } of works) for (const path of byPath.keys()) changers.set(path, (changers.get(path) ?? 0) + 1)
  return (path) => isHot((changers.get(path) ?? 1) - 1, works.length - 1)
}
