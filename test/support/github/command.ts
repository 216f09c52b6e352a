import { z } from 'zod'
import { findRepository, type Repository } from './data.ts'
import type { Github } from './start.ts'

/** A control command. */
export interface Command {
  /** The names of its fields; `?` marks the optional ones. */
  takes: string[]
  run(github: Github, body: unknown): Promise<unknown> | unknown
}

/** A command with this input. Without a result it responds with `{}`. */
export function command<Input>(schema: z.ZodType<Input>, run: (github: Github, input: Input) => unknown): Command {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' })
  const takes = Object.keys(properties).map((name) => (required.includes(name) ? name : `${name}?`))
  return { takes, run: (github, body) => run(github, schema.parse(body ?? {})) }
}

export const repository = z.string().regex(/^[^/]+\/[^/]+$/)
export const onRepository = z.object({ repository })

export function named(github: Github, fullName: string): Repository {
  const [owner = '', name = ''] = fullName.split('/')
  const found = findRepository(github.data, owner, name)
  if (found === undefined) throw new Error(`the stand-in has no repository ${fullName}`)
  return found
}
