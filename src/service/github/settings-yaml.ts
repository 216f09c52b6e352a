import { Lexer, Parser, parseDocument } from 'yaml'
import { z } from 'zod'
import { SettingsFile } from '../../core/schemas/settings.ts'

const most = { bytes: 65_536, aliases: 100, depth: 50, problems: 100 }
/** In characters. The library compares each key with each other one, which takes seconds in a longer file. */
const longestWithUniqueKeys = 10_000

export interface Problem {
  field: string
  message: string
}

/** A settings file as it is stored, or all that is wrong with it. Never throws. */
export function parseSettingsFile(bytes: Uint8Array): { file: SettingsFile } | { problems: Problem[] } {
  try {
    const { data, error } = SettingsFile.safeParse(parseYaml(bytes) ?? {})
    return data ? { file: data } : { problems: problemsOf(error) }
  } catch (error) {
    // The first line has the place, the others show the text there.
    const [message = ''] = error instanceof Error ? error.message.split(/:?\n/) : []
    return { problems: [{ field: 'file', message }] }
  }
}

function problemsOf({ issues }: z.ZodError): Problem[] {
  const problems = issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys')
      return [{ field: z.core.toDotPath(issue.path) || 'file', message: issue.message }]
    const keys = Object.keys(SettingsFile.shape).join(', ')
    return issue.keys.map((key) => ({ field: key.slice(0, 100), message: `is not known; the keys are ${keys}` }))
  })
  return problems.slice(0, most.problems)
}

/** Throws what is wrong with it. */
function parseYaml(bytes: Uint8Array): unknown {
  if (bytes.byteLength > most.bytes) throw new Error(`has ${bytes.byteLength} bytes, and may have ${most.bytes}`)
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  if (isTooDeep(text)) throw new Error(`nests more than ${most.depth} levels deep`)
  const uniqueKeys = text.length <= longestWithUniqueKeys
  const document = parseDocument(text, { uniqueKeys, logLevel: 'error' })
  // A warning is of a tag, such as a glob that begins with `!`: the library leaves it out.
  const [fault] = [...document.errors, ...document.warnings]
  if (fault) throw fault
  // A small file with aliases of aliases would expand to gigabytes.
  return document.toJS({ maxAliasCount: most.aliases })
}

/**
 * Asked before the document is composed: the composer calls itself, and V8 ends the whole process where it compiles a regular
 * expression on a nearly full stack. The parser does not.
 */
function isTooDeep(text: string): boolean {
  const parser = new Parser()
  for (const lexeme of new Lexer().lex(text)) {
    for (const _ of parser.next(lexeme));
    if (parser.stack.length > most.depth) return true
  }
  return false
}
