import { z } from 'zod'
import { absentIfNull, addFault, line, textFault } from '../lib/input.ts'
import { countAlternatives, type GlobFault } from './glob/glob.ts'
import { longestGlob, scopeAreaLimits, scopePathLimits } from './glob/limits.ts'

export const areaLabel = line(100)

/** Labels of a scope, or the tags of a check. */
export const labels = z
  .array(areaLabel)
  .max(scopeAreaLimits.labels)
  .meta({ description: 'Area labels; case does not matter.', examples: [['auth']] })

/** The areas of a scope, 4 KiB together. */
const areas = labels
  .superRefine((all, context) => refuseBytes(all, scopeAreaLimits.bytes, context))
  .meta({ description: 'Area labels, 4 KiB of UTF-8 together; case does not matter.', examples: [['auth']] })

function refuseBytes(texts: readonly string[], most: number, context: z.RefinementCtx): void {
  let bytes = 0
  for (const text of texts) bytes += Buffer.byteLength(text)
  if (bytes > most) addFault(context, 'too_long', `must have at most ${most} bytes together, and have ${bytes}`)
}

/** Of a long glob, the first 100 characters and an ellipsis. */
function globMessage(text: string, { message, position }: GlobFault): string {
  const at = position === null ? '' : ` at position ${position}`
  const characters = Array.from(text)
  const shown = characters.length > 100 ? `${characters.slice(0, 100).join('')}…` : text
  return `${JSON.stringify(shown)}${at}: ${message}`
}

/** Path globs of one scope: 16 KiB and 1,000 alternatives together. */
export const globs = z
  .array(z.string().meta({ minLength: 1, maxLength: longestGlob }))
  .max(scopePathLimits.globs)
  .superRefine((texts, context) => {
    let alternatives = 0
    for (const [index, text] of texts.entries()) {
      const fault = textFault(text, { min: 0, max: Number.POSITIVE_INFINITY })
      const read = countAlternatives(text)
      if (fault) addFault(context, ...fault, [index])
      else if (read.ok) alternatives += read.count
      else addFault(context, 'invalid_glob', globMessage(text, read.fault), [index])
    }
    if (alternatives > scopePathLimits.alternatives) {
      const most = `must have at most ${scopePathLimits.alternatives} alternatives together`
      addFault(context, 'too_many', `${most}, and have ${alternatives}`)
    }
    refuseBytes(texts, scopePathLimits.bytes, context)
  })
  .meta({
    description:
      'Path globs from the top of the repository, 16 KiB of UTF-8 together: `src/auth` is that directory and all below it.',
    examples: [['src/auth', 'docs/**/*.md']],
  })

/** What is stored and returned: always both lists. */
export const Scope = z
  .object({ areas: z.array(z.string()), paths: z.array(z.string()) })
  .meta({ description: 'Which part of the repository: area labels, and path globs, as they were given.' })
export type Scope = z.infer<typeof Scope>

/** A scope that replaces another: a part left out is empty. `null` is refused. */
export const ScopeUpdate = z.strictObject({ areas: areas.default([]), paths: globs.default([]) })

/** A scope of something new: `null` is as if not sent. */
export const ScopeInput = absentIfNull(
  z
    .strictObject({ areas: absentIfNull(areas), paths: absentIfNull(globs) })
    .transform((given): Scope => ({ areas: given.areas ?? [], paths: given.paths ?? [] })),
)
