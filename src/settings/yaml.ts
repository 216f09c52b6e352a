import { type Document, isNode, isScalar, Lexer, LineCounter, Parser, parseDocument, visit } from 'yaml'

/** How many aliases may be followed: a small file can otherwise unfold to gigabytes. */
const maxAliases = 100
const maxDepth = 50
const manyDocuments = 'holds more than one document'

export type YamlReading = { ok: true; value: unknown } | { ok: false; faults: string[] }

interface Fault {
  offset: number
  message: string
}

/**
 * One YAML document as plain values, or what is wrong with it, by line. Aliases and nesting are bounded, keys are
 * scalars, and a key may stand once in a mapping. Never throws; the text has to be of bounded length.
 */
export function parseYaml(text: string): YamlReading {
  const lines = new LineCounter()
  const found = (faults: Fault[]): YamlReading => ({
    ok: false,
    faults: faults.map(({ offset, message }) => `line ${lines.linePos(offset).line}: ${message}`),
  })
  const early = firstFault(text, lines)
  if (early) return found([early])
  // Its own check of keys compares each with each.
  const document = parseDocument(text, { prettyErrors: false, logLevel: 'error', uniqueKeys: false })
  // A warning is of a tag or a directive that nobody knows.
  const [fault] = [...document.errors, ...document.warnings]
  if (fault) {
    const message = fault.code === 'MULTIPLE_DOCS' ? manyDocuments : hinted(fault.message)
    return found([{ offset: fault.pos[0], message }])
  }
  const faulty = nodeFaults(document)
  if (faulty.length > 0) return found(faulty)
  try {
    return { ok: true, value: document.toJS({ maxAliasCount: maxAliases }) }
  } catch (error) {
    // Too many aliases.
    return { ok: false, faults: [error instanceof Error ? error.message : String(error)] }
  }
}

/**
 * The first fault that shows without composing the document. Nesting that is too deep has to: the composer recurses, and
 * on a stack that is nearly used up V8 ends the whole process (when it compiles a regular expression there) instead of
 * throwing. The parser itself keeps a list.
 */
function firstFault(text: string, lines: LineCounter): Fault | undefined {
  const parser = new Parser(lines.addNewLine)
  lines.addNewLine(0)
  let offset = 0
  let documents = 0
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) {
      if (token.type === 'error') return { offset: token.offset, message: token.message }
      if (token.type === 'document' && ++documents > 1) return { offset, message: manyDocuments }
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
      if (!anchors.has(source)) faults.push({ offset: range?.[0] ?? 0, message: aliasOfNothing(source) })
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

/** The commonest fault of these files by far, and what YAML says of it does not tell. */
function hinted(message: string): string {
  if (!/^(Alias cannot be|Unexpected scalar at node end|Plain value cannot start|Unresolved tag)/.test(message))
    return message
  return `${message}; a glob that begins with one of * { [ ! & @ % has to stand in quotes`
}

function aliasOfNothing(name: string): string {
  return `*${name} is an alias of nothing; a glob that begins with * has to stand in quotes: "*${name}"`
}
