import { type Document, isNode, isScalar, Lexer, LineCounter, Parser, parseDocument, visit } from 'yaml'

/** How many aliases are resolved. Without a limit a small file can expand to gigabytes. */
const maxAliases = 100
const maxDepth = 50
const tooManyDocuments = 'holds more than one document'

export type YamlReading = { ok: true; value: unknown } | { ok: false; faults: string[] }

interface Fault {
  offset: number
  message: string
}

/**
 * Parses one YAML document. Bounds aliases and nesting, and accepts only scalar keys that are unique in their mapping.
 * Each fault names its line. Never throws. The caller bounds the length of the text.
 */
export function parseYaml(text: string): YamlReading {
  const lines = new LineCounter()
  const failed = (faults: Fault[]): YamlReading => ({
    ok: false,
    faults: faults.map(({ offset, message }) => `line ${lines.linePos(offset).line}: ${message}`),
  })
  const early = firstFault(text, lines)
  if (early) return failed([early])
  // `nodeFaults` checks the keys: the library's own check is quadratic.
  const document = parseDocument(text, { prettyErrors: false, logLevel: 'error', uniqueKeys: false })
  // A warning means an unknown tag or directive.
  const [fault] = [...document.errors, ...document.warnings]
  if (fault) {
    const message = fault.code === 'MULTIPLE_DOCS' ? tooManyDocuments : withHint(fault.message)
    return failed([{ offset: fault.pos[0], message }])
  }
  const faulty = nodeFaults(document)
  if (faulty.length > 0) return failed(faulty)
  try {
    return { ok: true, value: document.toJS({ maxAliasCount: maxAliases }) }
  } catch (error) {
    // The document has too many aliases.
    return { ok: false, faults: [error instanceof Error ? error.message : String(error)] }
  }
}

/**
 * Finds faults before the document is composed. Deep nesting must be found here: the composer recurses, and V8 ends the
 * whole process when it compiles a regular expression on a nearly full stack. The parser does not recurse.
 */
function firstFault(text: string, lines: LineCounter): Fault | undefined {
  const parser = new Parser(lines.addNewLine)
  lines.addNewLine(0)
  let offset = 0
  let documents = 0
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) {
      if (token.type === 'error') return { offset: token.offset, message: token.message }
      if (token.type === 'document' && ++documents > 1) return { offset, message: tooManyDocuments }
    }
    if (parser.stack.length > maxDepth) return { offset, message: `nests more than ${maxDepth} levels deep` }
    offset = parser.offset
  }
  return undefined
}

function nodeFaults(document: Document.Parsed): Fault[] {
  const faults: Fault[] = []
  const anchors = new Set<string>()
  visit(document, {
    Value(_, { anchor }) {
      if (anchor !== undefined) anchors.add(anchor)
    },
    Alias(_, { source, range }) {
      if (!anchors.has(source)) faults.push({ offset: range?.[0] ?? 0, message: unknownAlias(source) })
    },
    Map(_, { anchor, items }) {
      if (anchor !== undefined) anchors.add(anchor)
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

/** Adds a hint to the messages for a glob without quotes, the most common fault of these files. */
function withHint(message: string): string {
  if (!/^(Alias cannot be|Unexpected scalar at node end|Plain value cannot start|Unresolved tag)/.test(message))
    return message
  return `${message}; a glob that begins with one of * { [ ! & @ % has to stand in quotes`
}

function unknownAlias(name: string): string {
  return `*${name} is an alias of nothing; a glob that begins with * has to stand in quotes: "*${name}"`
}
