import { z } from 'zod'
import { getOrCreate } from '../lib/maps.ts'
import { type GitPattern, matchesGitPattern, parseGitPattern, splitForPatterns } from './git-pattern.ts'

/** How many bytes of a `.gitattributes` file are read. */
export const maxAttributeBytes = 65_536
/** How many of its lines are kept, the last ones. */
const maxRules = 1_000
/** git ignores longer lines. */
const maxLineLength = 2_048
/** How many steps the rules may take for one path. A large ordinary file takes a tenth of it. */
const maxSteps = 100_000

/** Set (`diff`), unset (`-diff`), with a value (`diff=x`), or unspecified again (`!diff`). */
const Setting = z.tuple([z.string(), z.union([z.boolean(), z.string(), z.null()])])
type Setting = z.infer<typeof Setting>

/** The lines of a `.gitattributes` file that matter for ignored files, as they are saved. */
export const AttributeRules = z.object({
  /** Names that stand for other settings. */
  macros: z.array(z.tuple([z.string(), z.array(Setting)])),
  rules: z.array(z.object({ pattern: z.string(), settings: z.array(Setting) })),
})
export type AttributeRules = z.infer<typeof AttributeRules>

/** These settings make a file ignored (docs/rules.md#ignored-files). */
const ignoring: Record<string, readonly Setting[1][]> = {
  'linguist-generated': [true, 'true'],
  merge: ['union', 'ours', 'binary'],
  diff: [false],
}

const builtInMacros: AttributeRules['macros'] = [
  [
    'binary',
    [
      ['diff', false],
      ['merge', false],
      ['text', false],
    ],
  ],
]

/** Parses the text of the `.gitattributes` file in the root of a repository. Skips lines that git refuses. */
export function parseGitAttributes(text: string): AttributeRules {
  const lines = text.split('\n').flatMap((line) => readLine(line) ?? [])
  const macros = lines.flatMap(({ pattern, settings }): AttributeRules['macros'] => {
    const name = /^\[attr\](.+)$/.exec(pattern)?.[1]
    return name === undefined ? [] : [[name, settings]]
  })
  const names = new Set([...Object.keys(ignoring), ...[...builtInMacros, ...macros].map(([name]) => name)])
  const relevant = (settings: Setting[]) => settings.filter(([name]) => names.has(name))
  const rules = lines.flatMap(({ pattern, settings }) => {
    const kept = pattern.startsWith('[attr]') || parseGitPattern(pattern) === null ? [] : relevant(settings)
    return kept.length === 0 ? [] : [{ pattern, settings: kept }]
  })
  return {
    macros: macros.slice(-maxRules).map(([name, settings]) => [name, relevant(settings)]),
    rules: rules.slice(-maxRules),
  }
}

function readLine(line: string): { pattern: string; settings: Setting[] } | null {
  const text = line.replace(/^[ \t\r]+|[ \t\r]+$/g, '')
  if (text === '' || text.startsWith('#') || line.length > maxLineLength) return null
  const quoted = /^"((?:[^"\\]|\\.)*)"(?:[ \t\r]|$)/.exec(text)
  const pattern = quoted ? unquote(quoted[1] ?? '') : (/^[^ \t\r]+/.exec(text)?.[0] ?? '')
  if (pattern === null) return null
  const words = text.slice(quoted ? quoted[0].length : pattern.length).split(/[ \t\r]+/)
  const settings = words.filter((word) => word !== '').map(readSetting)
  return settings.every((setting) => setting !== null) ? { pattern, settings } : null
}

/** Null for a name that git does not allow. */
function readSetting(word: string): Setting | null {
  const [, sign, name = '', value] = /^([-!]?)([\w.][\w.-]*)(?:=(.*))?$/.exec(word) ?? []
  if (sign === undefined) return null
  if (sign !== '') return [name, sign === '-' ? false : null]
  return [name, value ?? true]
}

const escapes: Record<string, string> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

/** Undoes the quoting of C. Octal escapes are bytes of UTF-8. Null if an escape is unknown. */
function unquote(text: string): string | null {
  let isKnown = true
  const bytes = text.replace(/(?:\\[0-3][0-7]{2})+/g, (octals) =>
    Buffer.from(octals.match(/[0-7]{3}/g)?.map((octal) => Number.parseInt(octal, 8)) ?? []).toString('utf8'),
  )
  const plain = bytes.replace(/\\(.)/g, (_, char: string) => {
    if (char === '"' || char === '\\') return char
    isKnown &&= escapes[char] !== undefined
    return escapes[char] ?? ''
  })
  return isKnown ? plain : null
}

interface Prepared {
  macros: ReadonlyMap<string, readonly Setting[]>
  /** The last one first. */
  rules: readonly { pattern: GitPattern; settings: readonly Setting[] }[]
}

const prepared = new WeakMap<AttributeRules, Prepared>()

function prepare({ macros, rules }: AttributeRules): Prepared {
  return {
    macros: new Map([...builtInMacros, ...macros]),
    rules: rules.toReversed().flatMap(({ pattern, settings }) => {
      const parsed = parseGitPattern(pattern)
      return parsed ? [{ pattern: parsed, settings }] : []
    }),
  }
}

/**
 * Whether the attributes of the file make it ignored (docs/rules.md#ignored-files). False if that takes too many steps.
 */
export function isIgnoredByAttributes(path: string, attributeRules: AttributeRules): boolean {
  const { macros, rules } = getOrCreate(prepared, attributeRules, () => prepare(attributeRules))
  const known = new Map<string, Setting[1]>()
  const names = splitForPatterns(path)
  const work = { steps: 0 }
  // As git does: the last setting of a name counts, and a macro expands only where it is set.
  function add(settings: readonly Setting[]): void {
    for (const [name, value] of settings.toReversed()) {
      if (known.has(name)) continue
      known.set(name, value)
      if (value === true) add(macros.get(name) ?? [])
    }
  }
  for (const { pattern, settings } of rules) {
    const isDecided = settings.every(([name]) => known.has(name))
    if (!isDecided && matchesGitPattern(pattern, names, work, maxSteps)) add(settings)
  }
  if (work.steps >= maxSteps) return false
  return Object.entries(ignoring).some(([name, values]) => {
    const value = known.get(name)
    return value !== undefined && values.includes(value)
  })
}
