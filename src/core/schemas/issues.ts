import { z } from 'zod'
import { issueSources } from '../enums.ts'
import { sortedNumbers } from '../lib/sorted-numbers.ts'

/** The most issues that a request names, and the greatest number of one: PostgreSQL's `integer` holds no greater. */
const mostIssues = 20
const largestIssue = 2_147_483_647

const issueNumber = z.int().min(1).max(largestIssue)

export const issueParameter = z
  .string()
  .refine(
    (value) => /^[1-9]\d{0,9}$/.test(value) && Number(value) <= largestIssue,
    `must be a whole number from 1 to ${largestIssue}`,
  )
  .transform(Number)
  .pipe(z.number().min(1).max(largestIssue))
  .meta({
    type: 'integer',
    minimum: 1,
    maximum: largestIssue,
    description: 'Only work that means to close this issue.',
  })

/** The issues of a request (docs/rules.md#issues). `null` is refused. */
export const issues = z
  .array(issueNumber)
  .max(mostIssues)
  .transform((numbers) => sortedNumbers(numbers))
  .meta({
    description: 'The numbers of the issues of this repository that the work means to close.',
    examples: [[42]],
  })

export const issuesFrom = z
  .enum(issueSources)
  .describe('`branch`: `issues` are known from the name of the branch alone. They count less then.')
