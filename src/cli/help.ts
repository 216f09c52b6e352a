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
    '`headsup help COMMAND` describes a command. `headsup --version` prints the version.',
    '',
    'Exit status:',
    '  0  success, overlaps included',
    '  1  an overlap, with --exit-code',
    '  2  a usage error',
    '  3  no service, token or repository to work with',
    '  4  refused by the service',
  ].join('\n')
}

/** The help of a group of commands, such as `notable`; undefined where there is no such group. */
export function groupHelp(word: string): string | undefined {
  const names = commandsInGroup(word)
  if (names.length === 0) return undefined
  return [
    `headsup ${word} COMMAND [FLAG…]`,
    '',
    ...commandLines(names),
    '',
    `\`headsup help ${word} COMMAND\` describes a command.`,
  ].join('\n')
}

/** The names of the commands in a group. */
export function commandsInGroup(word: string): string[] {
  return Object.keys(commands).filter((name) => name.startsWith(`${word} `))
}

function commandLines(names: readonly string[]): string[] {
  const width = Math.max(...names.map((name) => name.length))
  return names.map((name) => `  ${name.padEnd(width)}  ${commands[name]?.summary ?? ''}`)
}

export function helpOf(name: string, { usage, summary, notes, examples, options }: Command): string {
  return [
    `headsup ${name}${usage && ` ${usage}`} [FLAG…]`,
    '',
    summary,
    ...(notes === undefined ? [] : [notes]),
    '',
    ...flagLines(options),
    ...(examples.length === 0 ? [] : ['', 'Examples:', ...examples.map((example) => `  ${example}`)]),
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
