/** A line of a terminal, with the class of its colour. */
export interface TerminalLine {
  text: string
  kind: 'title' | 'prose' | 'command' | 'status' | 'answer'
}

/** The chapters that the picture shows: a check by the command line, and one by the API. */
const shownChapters = [1, 3]
/** The rest of such a chapter is not shown. */
const endOfShown = 'The list has it too'

const columns = 100

/** The part of the demo's output that the picture shows, without ids and without the paths of this machine. */
export function recordingOf(output: string): TerminalLine[] {
  const chapters = output.split(/\n(?=\d+\. )/)
  return shownChapters.flatMap((number) => {
    const chapter = chapters.find((text) => text.startsWith(`${number}. `)) ?? ''
    const [shown = ''] = chapter.split(endOfShown)
    return blocksOf(shown).flatMap((block) => [...linesOf(block), { text: '', kind: 'prose' as const }])
  })
}

/** Paragraphs, and commands with their answers. */
function blocksOf(chapter: string): string[][] {
  const blocks = chapter.trim().split(/\n\s*\n/)
  return blocks.map((block) => block.split('\n'))
}

function linesOf(block: readonly string[]): TerminalLine[] {
  const [first = ''] = block
  if (/^\d+\. /.test(first)) return [{ text: first.replace(/^\d+\. /, '# '), kind: 'title' }]
  if (!first.startsWith('  ')) return block.map((text) => ({ text, kind: 'prose' }))
  const last = block.findIndex((line) => !line.endsWith('\\'))
  return [...commandLines(block.slice(0, last + 1)), ...answerLines(block.slice(last + 1))]
}

function commandLines(command: readonly string[]): TerminalLine[] {
  // The command line is called by the path that it has on this machine.
  const called = /\/cli\/main\.js (.*)$/.exec(command.at(-1) ?? '')?.[1]
  const shown = called === undefined ? command.map((line) => line.slice(2)) : [`headsup ${called}`]
  return shown.map((line, index) => ({ text: index === 0 ? `$ ${line}` : `  ${line}`, kind: 'command' }))
}

/** Joins what was wrapped, and wraps it again. */
function answerLines(answer: readonly string[]): TerminalLine[] {
  const joined: string[] = []
  for (const line of answer) {
    const begins = /^ {2}→|^ {4}(?:\w+:|Overlap|Tried|Next:)/.test(line) || joined.length === 0
    if (begins) joined.push(line.trim())
    else joined[joined.length - 1] += ` ${line.trim()}`
  }
  return joined.flatMap((line) =>
    wrapped(line).map((part) => ({ text: part, kind: line.startsWith('→') ? 'status' : 'answer' }) as const),
  )
}

function wrapped(text: string): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= columns) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(lines.length === 0 ? word : `  ${word}`)
  }
  return lines
}

const [lineHeight, charWidth, margin, top] = [19, 7.9, 18, 44]
/** Lines appear one after another, this many seconds apart. */
const everySeconds = 0.35

/** A picture of the terminal. Its lines appear one after another; without animations, all are shown. */
export function svgOf(lines: readonly TerminalLine[]): string {
  const width = Math.ceil(columns * charWidth + 2 * margin)
  const height = top + lines.length * lineHeight + margin
  const texts = lines.flatMap(({ text, kind }, index) =>
    text === ''
      ? []
      : [
          `<text class="${kind}" style="animation-delay:${(index * everySeconds).toFixed(2)}s" x="${margin}" y="${top + (index + 1) * lineHeight - 5}">${escaped(text)}</text>`,
        ],
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" xml:space="preserve">
<title>A terminal: headsup check finds that an open pull request changes the same lines</title>
<style>
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #c9d1d9; white-space: pre; animation: appear .2s backwards }
.title { fill: #fff; font-weight: bold }
.prose { fill: #8b949e }
.command { fill: #79c0ff }
.status { fill: #7ee787 }
.answer { fill: #e3b341 }
@keyframes appear { from { opacity: 0 } }
@media (prefers-reduced-motion: reduce) { text { animation: none } }
</style>
<rect width="${width}" height="${height}" rx="10" fill="#0d1117"/>
<circle cx="22" cy="22" r="6" fill="#ff5f56"/><circle cx="42" cy="22" r="6" fill="#ffbd2e"/><circle cx="62" cy="22" r="6" fill="#27c93f"/>
${texts.join('\n')}
</svg>
`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
