import type { Options } from './args.ts'
import type { Command } from './command.ts'
import { commands } from './commands.ts'

export function overview(): string {
  const names = Object.keys(commands)
  const width = Math.max(...names.map((name) => name.length))
  const lines = names.map((name) => `  ${name.padEnd(width)}  ${commands[name]?.summary ?? ''}`)
  return [
    'Know what is going on in a repository before you start.',
    '',
    'headsup COMMAND [FLAG…]',
    '',
    ...lines,
    '',
    '`headsup help COMMAND` says more; `headsup --version` the version.',
    'It ends with 0: fine. 1: an overlap, with --exit-code. 2: a fault in the command. 3: could not ask. 4: refused.',
  ].join('\n')
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
