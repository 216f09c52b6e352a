import { parseArgs } from 'node:util'
import { didYouMean } from '../core/lib/did-you-mean.ts'
import { usageError } from './failure.ts'

export interface Option {
  type: 'string' | 'boolean'
  short?: string
  /** Whether the flag may be repeated. */
  multiple?: boolean
  /** The name of its value in the help. A boolean flag has none. */
  value?: string
  /** Empty for a flag that the help of another one explains, such as `--no-draft`. */
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

/** Reads arguments. Throws a usage error that names the flag, for one that is unknown, has no value or is given twice. */
export function readArgs(argv: readonly string[], options: Options, command: string): Args {
  const config = Object.fromEntries(
    Object.entries(options).map(([name, { type, short, multiple = false }]) => [
      name,
      { type, multiple, ...(short !== undefined && { short }) },
    ]),
  )
  const { values: parsed, positionals, tokens } = parse(argv, config, command)
  refuseRepeated(
    tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : [])),
    options,
  )
  const values: Readonly<Record<string, unknown>> = { ...parsed }
  for (const [name, value] of Object.entries(values)) {
    if (value === '') throw usageError(`--${name} needs a value.`)
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

/** A flag that is given twice is refused, as the API refuses a repeated parameter. */
function refuseRepeated(names: readonly string[], options: Options): void {
  for (const [index, name] of names.entries()) {
    if (names.indexOf(name) < index && options[name]?.multiple !== true) throw usageError(`--${name} is given twice.`)
    if (names.includes(`no-${name}`)) throw usageError(`--${name} and --no-${name} exclude each other.`)
  }
}

function parse(
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
      const meant = didYouMean(
        flag,
        Object.keys(options).map((name) => `--${name}`),
      )
      throw usageError(`Unknown flag ${flag}.${meant} \`headsup help ${command}\` lists the flags.`)
    }
    if (code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE')
      throw usageError(`${message.replace(/\.?\s*$/s, '').replaceAll('\n', ' ')}.`)
    throw error
  }
}

/** The value of a flag that takes a whole number. Throws a usage error for any other value. */
export function integerFlag(args: Args, name: string, min: number, max: number): number | undefined {
  const text = args.text(name)
  return text === undefined ? undefined : wholeNumber(text, name, min, max)
}

/** The number that the value of a flag is. Throws a usage error for any other text. */
export function wholeNumber(text: string, name: string, min: number, max: number): number {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (number >= min && number <= max) return number
  throw usageError(`--${name} must be a whole number from ${min} to ${max}.`)
}
