import { parseArgs } from 'node:util'
import { usageFault } from './failure.ts'

export interface Option {
  type: 'string' | 'boolean'
  short?: string
  /** May be given several times. */
  multiple?: boolean
  /** What the help calls its value. */
  value?: string
  help: string
}

export type Options = Readonly<Record<string, Option>>

export interface Args {
  text(name: string): string | undefined
  texts(name: string): string[]
  /** Undefined where neither `--name` nor `--no-name` was given. */
  flag(name: string): boolean | undefined
  positionals: string[]
}

/** Reads arguments. Fails as a fault of usage, naming the flag, for one that is unknown or has no value. */
export function readArgs(argv: readonly string[], options: Options, command: string): Args {
  const config = Object.fromEntries(
    Object.entries(options).map(([name, { type, short, multiple = false }]) => [
      name,
      { type, multiple, ...(short !== undefined && { short }) },
    ]),
  )
  const { values: read, positionals } = parsed(argv, config, command)
  const values: Readonly<Record<string, unknown>> = { ...read }
  for (const [name, value] of Object.entries(values)) {
    if (value === '') throw usageFault(`--${name} needs a value that is not empty.`)
  }
  const lastOf = (name: string) => {
    const value = values[name]
    return Array.isArray(value) ? value.at(-1) : value
  }
  return {
    text(name) {
      const value = lastOf(name)
      return typeof value === 'string' ? value : undefined
    },
    texts(name) {
      const value = values[name]
      const all = Array.isArray(value) ? value : [value]
      return all.filter((item) => typeof item === 'string')
    },
    flag(name) {
      if (lastOf(`no-${name}`) === true) return false
      return lastOf(name) === true ? true : undefined
    },
    positionals,
  }
}

function parsed(
  argv: readonly string[],
  options: NonNullable<Parameters<typeof parseArgs>[0]>['options'],
  command: string,
) {
  try {
    return parseArgs({ args: [...argv], allowPositionals: true, strict: true, ...(options && { options }) })
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
      const flag = /'(-[^']*)'/.exec(message)?.[1] ?? 'a flag'
      throw usageFault(`Unknown flag ${flag}. \`headsup help ${command}\` lists those it has.`)
    }
    if (code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE')
      throw usageFault(`${message.replace(/\.?\s*$/s, '').replaceAll('\n', ' ')}.`)
    throw error
  }
}

/** The value of a flag that has to be a whole number. */
export function wholeNumber(args: Args, name: string, least: number, most: number): number | undefined {
  const text = args.text(name)
  if (text === undefined) return undefined
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (number >= least && number <= most) return number
  throw usageFault(`--${name} is a whole number from ${least} to ${most}.`)
}
