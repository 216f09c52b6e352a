import { z } from 'zod'

/** How many changed files a model is shown. */
const maxFiles = 20

const WithFiles = z.object({ changes: z.looseObject({ files: z.array(z.unknown()), files_total: z.int() }) })

/** Shows the first changed files of an activity, and says how many there are. */
export function shortenFiles(answer: Record<string, unknown>): Record<string, unknown> {
  const { data } = WithFiles.safeParse(answer)
  if (!data || data.changes.files.length <= maxFiles) return answer
  const { files, ...changes } = data.changes
  const remark = `changes.files has the first ${maxFiles} of ${changes.files_total} files.`
  return { ...answer, changes: { ...changes, files: files.slice(0, maxFiles) }, remark }
}
