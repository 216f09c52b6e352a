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

/** Reads arguments. Fails as a fault of usage, naming the flag, for one that is unknown, has no value or is given twice. */
export function readArgs(argv: readonly string[], options: Options, command: string): Args {
  const config = Object.fromEntries(
    Object.entries(options).map(([name, { type, short, multiple = false }]) => [
      name,
      { type, multiple, ...(short !== undefined && { short }) },
    ]),
  )
  const { values: read, positionals, tokens } = parsed(argv, config, command)
  refuseRepeated(
    tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : [])),
    options,
  )
  const values: Readonly<Record<string, unknown>> = { ...read }
  for (const [name, value] of Object.entries(values)) {
    if (value === '') throw usageFault(`--${name} needs a value that is not empty.`)
  }
  return {
    text(name) {
      const value = values[name]
      return typeof value === 'string' ? value : undefined
    },
    texts(name) {
      const value = values[name]
      const all = Array.isArray(value) ? value : [value]
      return all.filter((item) => typeof item === 'string')
    },
    flag(name) {
      if (values[`no-${name}`] === true) return false
      return values[name] === true ? true : undefined
    },
    positionals,
  }
}

/** As the API refuses a parameter that is given twice: which one counts is not to be guessed. */
function refuseRepeated(names: readonly string[], options: Options): void {
  for (const [index, name] of names.entries()) {
    if (names.indexOf(name) < index && options[name]?.multiple !== true) throw usageFault(`--${name} is given twice.`)
    if (names.includes(`no-${name}`)) throw usageFault(`--${name} and --no-${name} exclude each other.`)
  }
}

function parsed(
  argv: readonly string[],
  options: NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>,
  command: string,
) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      strict: true,
      tokens: true,
      options,
    })
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
