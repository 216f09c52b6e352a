import { type Document, isNode, isScalar, Lexer, LineCounter, Parser, parseDocument, visit } from 'yaml'
import { z } from 'zod'
import { SettingsFile } from '../../core/schemas/settings.ts'

const most = { bytes: 65_536, aliases: 100, depth: 50, problems: 100 }

export interface Problem {
  field: string
  message: string
}

/** A settings file as it is stored, or all that is wrong with it. Never throws. */
export function parseSettingsFile(bytes: Uint8Array): { file: SettingsFile } | { problems: Problem[] } {
  if (bytes.byteLength > most.bytes) return faulty(`has ${bytes.byteLength} bytes, and may have ${most.bytes}`)
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return faulty('is no text in UTF-8')
  }
  const parsed = parseYaml(text)
  if ('faults' in parsed) return faulty(...parsed.faults)
  const result = SettingsFile.safeParse(parsed.value ?? {})
  return result.success ? { file: result.data } : { problems: problemsOf(result.error) }
}

function faulty(...faults: string[]) {
  return { problems: faults.slice(0, most.problems).map((message) => ({ field: 'file', message })) }
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

type Parsed = { value: unknown } | { faults: string[] }

/** One YAML document with unique, plain keys. */
function parseYaml(text: string): Parsed {
  const lines = new LineCounter()
  const failed = (faults: Fault[]): Parsed => ({
    faults: faults.map(({ offset, message }) => `line ${lines.linePos(offset).line}: ${message}`),
  })
  const early = firstFault(text, lines)
  if (early) return failed([early])
  // Its own check of unique keys is quadratic.
  const document = parseDocument(text, { prettyErrors: false, logLevel: 'error', uniqueKeys: false })
  const [fault] = [...document.errors, ...document.warnings]
  if (fault) return failed([{ offset: fault.pos[0], message: withHint(fault.message) }])
  const faults = keyFaults(document)
  if (faults.length > 0) return failed(faults)
  try {
    return { value: document.toJS({ maxAliasCount: most.aliases }) }
  } catch {
    // A small file with aliases of aliases would expand to gigabytes.
    return { faults: ['has too many aliases, or one of nothing'] }
  }
}

interface Fault {
  offset: number
  message: string
}

/**
 * Looks before the document is composed: the composer calls itself, and V8 ends the whole process where it compiles a regular
 * expression on a nearly full stack. The parser does not.
 */
function firstFault(text: string, lines: LineCounter): Fault | undefined {
  const parser = new Parser(lines.addNewLine)
  lines.addNewLine(0)
  let offset = 0
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme))
      if (token.type === 'error') return { offset: token.offset, message: token.message }
    if (parser.stack.length > most.depth) return { offset, message: `nests more than ${most.depth} levels deep` }
    offset = parser.offset
  }
  return undefined
}

function keyFaults(document: Document.Parsed): Fault[] {
  const faults: Fault[] = []
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<string>()
      for (const { key } of items) {
        const name = isScalar(key) ? String(key.value) : undefined
        const offset = isNode(key) ? (key.range?.[0] ?? 0) : 0
        if (name === undefined) faults.push({ offset, message: 'a key has to be plain text' })
        else if (seen.has(name)) faults.push({ offset, message: `the key ${JSON.stringify(name)} is there twice` })
        else seen.add(name)
      }
    },
  })
  return faults
}

/** The most common fault of these files is a glob without quotes. */
function withHint(message: string): string {
  if (!/^(Alias cannot be|Unexpected scalar at node end|Plain value cannot start|Unresolved tag)/.test(message))
    return message
  return `${message}; a glob that begins with one of * { [ ! & @ % has to stand in quotes`
}
