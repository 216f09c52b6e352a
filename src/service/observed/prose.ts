/**
 * The prose of a text in GitHub Flavored Markdown: the text without comments and code, each of which becomes NUL. It is read
 * in one pass, so the time is linear in its length. Unlike at GitHub, a comment that begins in a paragraph may end behind it.
 */
export function proseOf(text: string): string {
  return new ProseReader(text).read()
}

class ProseReader {
  readonly #text: string
  readonly #tags: ClosingTags
  readonly #prose: string[] = []
  /** Where the line begins that is read next. */
  #at = 0
  /** Where the paragraph begins that is being read; null between blocks. */
  #paragraph: number | null = null
  #fence: Fence | null = null
  #quotes = 0
  /** The columns at which the contents of the open list items begin. */
  #items: number[] = []

  constructor(text: string) {
    this.#text = text
    this.#tags = new ClosingTags(text)
  }

  read(): string {
    while (this.#at < this.#text.length) this.#readLine()
    this.#endParagraph(this.#text.length)
    return this.#prose.join('')
  }

  #readLine(): void {
    const line = startOfLine(this.#text, this.#at)
    const end = endOfLine(this.#text, this.#at)
    if (this.#fence !== null && line.quotes >= this.#fence.quotes) {
      if (closesFence(this.#text.slice(line.content, end), this.#fence.mark)) this.#fence = null
      this.#at = end
      return
    }
    this.#fence = null

    const isBlank = this.#text.slice(line.content, end).trim() === ''
    const block = openedBlock(this.#text, line.content)
    const beginsBlock = isBlank || line.items.length > 0 || line.quotes > this.#quotes || block !== null
    const isInParagraph = this.#paragraph !== null
    if (!isBlank && (beginsBlock || !isInParagraph)) this.#leaveContainers(line)
    const isIndented = line.indent - (this.#items.at(-1) ?? 0) >= 4
    if (isInParagraph && (!beginsBlock || (isIndented && !isBlank))) {
      this.#at = end
      return
    }
    if (!this.#endParagraph(this.#at)) return

    this.#at = end
    if (isBlank || isIndented) return
    this.#items.push(...line.items)
    if (line.isCode || matchAt(definition, this.#text, line.content) !== null) return
    if (block?.kind === 'fence') this.#fence = { mark: block.mark, quotes: line.quotes }
    else if (block?.kind === 'tag') this.#goOnBehind(this.#tags.endOf(block.mark, line.content) ?? this.#text.length)
    else this.#paragraph = line.content
    if (block?.kind === 'heading') this.#endParagraph(end)
  }

  #leaveContainers({ quotes, indent }: LineStart): void {
    if (quotes !== this.#quotes) this.#items = []
    this.#quotes = quotes
    while (indent < (this.#items.at(-1) ?? 0)) this.#items.pop()
  }

  /** Whether the paragraph ends here. It goes on if a comment in it is longer. */
  #endParagraph(end: number): boolean {
    if (this.#paragraph === null) return true
    const next = this.#readInline(this.#paragraph, end)
    this.#prose.push('\0')
    this.#paragraph = null
    if (next > end) this.#goOnBehind(next)
    return next <= end
  }

  /** The rest of the line behind a tag is text. */
  #goOnBehind(tagEnd: number): void {
    this.#paragraph = tagEnd
    this.#at = endOfLine(this.#text, tagEnd)
  }

  /** Adds the prose of a paragraph, and returns the end of what is read. */
  #readInline(start: number, end: number): number {
    const paragraph = this.#text.slice(start, end)
    const spans = new CodeSpans(paragraph)
    let from = 0
    inlineMark.lastIndex = 0
    for (let found = inlineMark.exec(paragraph); found !== null; found = inlineMark.exec(paragraph)) {
      const { 0: mark, index } = found
      if (mark.startsWith('\\')) continue
      const tagEnd = mark.startsWith('<') ? this.#tags.endOf(mark, start + index) : null
      const next = tagEnd === null ? spans.endOf(mark, index) : tagEnd - start
      if (next === null) continue
      this.#prose.push(paragraph.slice(from, index), '\0')
      inlineMark.lastIndex = from = next
    }
    this.#prose.push(paragraph.slice(from))
    return Math.max(start + from, end)
  }
}

interface Fence {
  /** What opened it, such as three backticks. */
  mark: string
  /** How many quotes it stands in. */
  quotes: number
}

interface LineStart {
  /** How many quotes it stands in. */
  quotes: number
  /** The column behind the marks of the quotes at which it begins. */
  indent: number
  /** For each list item that it begins, the column of the contents. */
  items: number[]
  /** Whether the last of these items begins with an indented code block. */
  isCode: boolean
  /** The position behind all of these. */
  content: number
}

interface Block {
  kind: 'fence' | 'tag' | 'heading'
  mark: string
}

const quoteMark = / {0,3}>[ \t]?/y
const blanks = /[ \t]*/y
const listMark = /(?:[-*+]|\d{1,9}[.)])(?=\s|$)/y
const headingMark = /#{1,6}(?=\s|$)/y
const fenceMark = /`{3,}(?=[^`\n]*(?:\n|$))|~{3,}/y
/** A link reference definition with a title, which some templates use as a comment: `[//]: # (text)`. */
const definition = /\[[^\]\n]+\]:[ \t]*\S+[ \t]+(?:"[^"\n]*"|'[^'\n]*'|\([^()\n]*\))[ \t\r]*(?=\n|$)/y
const tagMark = /<!--|<pre(?=[\s>])/iy
/** Nothing begins at an escaped character. */
const inlineMark = /\\[^\n]|`+|<!--|<(?:pre|code|tt)(?=[\s>])/gi

function startOfLine(text: string, at: number): LineStart {
  let content = at
  const take = (pattern: RegExp): string | null => {
    const taken = matchAt(pattern, text, content)
    content += taken?.length ?? 0
    return taken
  }
  let quotes = 0
  while (take(quoteMark) !== null) quotes += 1
  const indent = width(take(blanks))
  const items: number[] = []
  let column = indent
  let isCode = false
  for (let mark = take(listMark); mark !== null; mark = isCode ? null : take(listMark)) {
    const gap = width(take(blanks))
    isCode = gap > 4
    column += mark.length + (isCode ? 1 : Math.max(gap, 1))
    items.push(column)
  }
  return { quotes, indent, items, isCode, content }
}

function openedBlock(text: string, at: number): Block | null {
  const fence = matchAt(fenceMark, text, at)
  if (fence !== null) return { kind: 'fence', mark: fence }
  const tag = matchAt(tagMark, text, at)
  if (tag !== null) return { kind: 'tag', mark: tag }
  const heading = matchAt(headingMark, text, at)
  return heading === null ? null : { kind: 'heading', mark: heading }
}

/** A fence is closed by as many of the same character or more, with nothing behind them. */
function closesFence(line: string, mark: string): boolean {
  const rest = line.trim()
  return rest.length >= mark.length && rest === mark.charAt(0).repeat(rest.length)
}

/** Where the comments and elements end that no prose is in. The positions asked for only grow, so the text is read once. */
class ClosingTags {
  readonly #text: string
  readonly #found = new Map<string, { start: number; end: number } | null>()

  constructor(text: string) {
    this.#text = text
  }

  /** The end of what this mark opens; null if nothing closes it. */
  endOf(mark: string, at: number): number | null {
    const name = mark.slice(1).toLowerCase()
    const known = this.#found.get(name)
    if (known === null || (known !== undefined && known.start > at)) return known?.end ?? null
    const pattern = name === '!--' ? /-->/g : new RegExp(`</${name}\\s*>`, 'gi')
    pattern.lastIndex = at + 2
    const match = pattern.exec(this.#text)
    const found = match === null ? null : { start: match.index, end: pattern.lastIndex }
    this.#found.set(name, found)
    return found?.end ?? null
  }
}

/** Where the code spans of a paragraph end: at the next run of as many backticks. Positions asked for only grow. */
class CodeSpans {
  /** The positions behind the runs, by length, last first. */
  readonly #ends = new Map<number, number[]>()

  constructor(paragraph: string) {
    const runs = [...paragraph.matchAll(/`+/g)].reverse()
    for (const { 0: run, index } of runs) {
      const ends = this.#ends.get(run.length) ?? []
      ends.push(index + run.length)
      this.#ends.set(run.length, ends)
    }
  }

  endOf(run: string, at: number): number | null {
    const ends = this.#ends.get(run.length) ?? []
    while ((ends.at(-1) ?? Number.POSITIVE_INFINITY) <= at + run.length) ends.pop()
    return ends.at(-1) ?? null
  }
}

function endOfLine(text: string, at: number): number {
  const newline = text.indexOf('\n', at)
  return newline < 0 ? text.length : newline + 1
}

function matchAt(sticky: RegExp, text: string, at: number): string | null {
  sticky.lastIndex = at
  return sticky.exec(text)?.[0] ?? null
}

/** How many columns these blanks take, with tab stops of 4. */
function width(blank: string | null): number {
  let columns = 0
  for (const character of blank ?? '') columns += character === '\t' ? 4 - (columns % 4) : 1
  return columns
}
