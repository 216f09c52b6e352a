import type { z } from 'zod'

/** What zod calls a type, for whoever has sent another one. */
const typeWords: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

/** The words for a fault whose schema has none of its own; undefined for what zod says well enough. */
export const faultWords: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return wrongType(issue.input, typeWords[issue.expected])
    case 'invalid_value':
      return issue.input === undefined
        ? 'is missing'
        : `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.join(', ')}`
    case 'too_big':
      return `must ${sizeWords(issue.origin, `at most ${issue.maximum}`)}`
    case 'too_small':
      return `must ${sizeWords(issue.origin, `at least ${issue.minimum}`)}`
    case 'invalid_key':
      return 'must have a name of 1 to 100 characters, without control characters'
    default:
      return undefined
  }
}

function wrongType(input: unknown, expected: string | undefined): string | undefined {
  if (input === undefined) return 'is missing'
  if (input === null) return 'must not be null'
  // A parameter of a query that is given twice is a list.
  if (Array.isArray(input) && expected === 'a string') return 'must be one string, given once'
  return expected && `must be ${expected}`
}

function sizeWords(origin: string, size: string): string {
  return origin === 'array' ? `have ${size} items` : `be ${size}`
}
