import { STATUS_CODES } from 'node:http'
import { styleText } from 'node:util'

export interface StoryPrinter {
  chapter(title: string): void
  say(text: string): void
  /** Lines to paste into a shell. */
  command(lines: readonly string[]): void
  answer(status: number, fields: Record<string, unknown>): void
  /** What a program printed. */
  output(text: string): void
}

type Style = Parameters<typeof styleText>[0]

const width = 100

/** Prints the story, in colour if `isColoured`. */
export function createStoryPrinter(print: (line: string) => void, isColoured: boolean): StoryPrinter {
  const paint = (style: Style, text: string) => (isColoured ? styleText(style, text, { validateStream: false }) : text)
  let chapters = 0
  return {
    chapter(title) {
      print('')
      print(paint('bold', `${++chapters}. ${title}`))
    },
    say(text) {
      print('')
      for (const line of wrapped(text, width)) print(line)
    },
    command(lines) {
      print('')
      for (const [index, line] of lines.entries()) print(paint('cyan', `${index === 0 ? '  ' : '    '}${line}`))
    },
    answer(status, fields) {
      const style = status < 300 ? 'green' : 'yellow'
      print(paint(style, `  → ${status} ${STATUS_CODES[status] ?? ''}`))
      for (const [name, value] of Object.entries(fields)) {
        const [first = '', ...rest] = shown(value)
        print(`    ${paint('dim', `${name}:`)} ${first}`)
        for (const line of rest) print(`      ${line}`)
      }
    },
    output(text) {
      for (const line of text.trimEnd().split('\n')) {
        const indent = /^ */.exec(line)?.[0] ?? ''
        for (const part of wrapped(line.trim(), width - 4)) print(`    ${indent}${part}`)
      }
    },
  }
}

function shown(value: unknown): string[] {
  if (typeof value === 'string') return wrapped(value, width - 30)
  if (Array.isArray(value) && value.length > 1) return ['', ...value.flatMap(shown)]
  return [JSON.stringify(value) ?? 'nothing']
}

function wrapped(text: string, columns: number): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= columns) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
