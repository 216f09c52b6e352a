import { z } from 'zod'
import { absentIfNull, addFault, line, textFault } from '../lib/input.ts'
import { countAlternatives, type GlobFault } from './glob/glob.ts'

export const scopeLimits = { labels: 100, paths: 100, alternatives: 2000 } as const

export const areaLabel = line(100)

/** Labels of a scope, or the tags of a check. */
export const labels = z
  .array(areaLabel)
  .max(scopeLimits.labels)
  .meta({ description: 'Area labels; case does not matter.', examples: [['auth']] })

function globMessage(text: string, { message, position }: GlobFault): string {
  const at = position === null ? '' : ` at position ${position}`
  return `${JSON.stringify(text.slice(0, 100))}${at}: ${message}`
}

/** Path globs of one scope, 2,000 alternatives together. */
export const globs = z
  .array(z.string().meta({ minLength: 1, maxLength: 1024 }))
  .max(scopeLimits.paths)
  .superRefine((texts, context) => {
    let alternatives = 0
    for (const [index, text] of texts.entries()) {
      const fault = textFault(text, { min: 0, max: Number.POSITIVE_INFINITY })
      const read = countAlternatives(text)
      if (fault) addFault(context, ...fault, [index])
      else if (read.ok) alternatives += read.count
      else addFault(context, 'invalid_glob', globMessage(text, read.fault), [index])
    }
    if (alternatives > scopeLimits.alternatives) {
      addFault(context, 'too_many', `the globs of one scope have at most ${scopeLimits.alternatives} alternatives`)
    }
  })
  .meta({
    description: 'Path globs from the top of the repository: `src/auth` is that directory and all below it.',
    examples: [['src/auth', 'docs/**/*.md']],
  })

/** What is stored and returned: always both lists. */
export const Scope = z
  .object({ areas: z.array(z.string()), paths: z.array(z.string()) })
  .meta({ description: 'Which part of the repository: area labels, and path globs, as they were given.' })
export type Scope = z.infer<typeof Scope>

/** A scope that replaces another: a part left out is empty. `null` is refused. */
export const ScopeUpdate = z.strictObject({ areas: labels.default([]), paths: globs.default([]) })

/** A scope of something new: `null` is as if not sent. */
export const ScopeInput = absentIfNull(
  z
    .strictObject({ areas: absentIfNull(labels), paths: absentIfNull(globs) })
    .transform(({ areas = [], paths = [] }): Scope => ({ areas, paths })),
)
