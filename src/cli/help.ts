import type { Options } from './args.ts'
import type { Command } from './command.ts'
import { commands } from './commands.ts'

export function overview(): string {
  return [
    'Know what is going on in a repository before you start.',
    '',
    'headsup COMMAND [FLAG…]',
    '',
    ...commandLines(Object.keys(commands)),
    '',
    '`headsup help COMMAND` says more; `headsup --version` the version.',
    'It ends with 0: fine. 1: an overlap, with --exit-code. 2: a fault in the command. 3: could not ask. 4: refused.',
  ].join('\n')
}

/** Of a word that several commands begin with, such as `notable`; undefined where none does. */
export function groupHelp(word: string): string | undefined {
  const names = commandsBelow(word)
  if (names.length === 0) return undefined
  return [
    `headsup ${word} COMMAND [FLAG…]`,
    '',
    ...commandLines(names),
    '',
    `\`headsup help ${word} COMMAND\` says more.`,
  ].join('\n')
}

/** The commands of two words whose first is this one. */
export function commandsBelow(word: string): string[] {
  return Object.keys(commands).filter((name) => name.startsWith(`${word} `))
}

function commandLines(names: readonly string[]): string[] {
  const width = Math.max(...names.map((name) => name.length))
  return names.map((name) => `  ${name.padEnd(width)}  ${commands[name]?.summary ?? ''}`)
}

export function helpOf(name: string, { usage, summary, notes, options }: Command): string {
  return [
    `headsup ${name}${usage && ` ${usage}`} [FLAG…]`,
    '',
    summary,
    ...(notes === undefined ? [] : [notes]),
    '',
    ...flagLines(options),
  ].join('\n')
}

function flagLines(options: Options): string[] {
  const shown = Object.entries(options).filter(([, { help }]) => help !== '')
  const names = shown.map(
    ([name, { short, value }]) =>
      `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`,
  )
  const width = Math.max(0, ...names.map((name) => name.length))
  return shown.map(([, { help }], index) => `  ${(names[index] ?? '').padEnd(width)}  ${help}`)
}
