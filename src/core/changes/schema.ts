import { z } from 'zod'
import { absentIfNull, addFault, text } from '../lib/input.ts'
import { changesLimits } from './limits.ts'
import { objectId } from './object-id.ts'

/** Who reported the changes of an activity. */
const changesSources = ['github', 'client', 'both'] as const
export const fileStatuses = ['added', 'modified', 'removed', 'renamed'] as const

/** A literal path from the top of the repository, not a glob: any character that git allows, and no empty segment. */
const path = text({ min: 1, max: 4096 })
  .superRefine((value, context) => {
    if (value.split('/').some((segment) => segment === '' || segment === '.' || segment === '..'))
      addFault(
        context,
        'invalid_value',
        'must be a path from the top of the repository, without empty segments, . and ..',
      )
  })
  .meta({ examples: ['src/auth/session.ts'] })

const lineNumber = z.int().min(0).max(2_147_483_647)
const range = z
  .tuple([lineNumber, lineNumber])
  .superRefine(([first, last], context) => {
    if (first > last) addFault(context, 'invalid_value', 'must begin before it ends')
    else if (first === 0 && last !== 1)
      addFault(context, 'invalid_value', 'must begin at line 1; [0, 1] is an insertion before it')
  })
  .meta({ examples: [[120, 164]] })

const lines = z
  .array(range)
  .max(changesLimits.ranges)
  .describe(
    'First and last line on the old side; `[n, n + 1]` is an insertion after line n. `null` if they are not known.',
  )

const insertsMeaning = 'The indexes of `lines` that are insertions; absent: all ranges of two lines.'

const fileInput = z
  .strictObject({
    path,
    previous_path: absentIfNull(path),
    status: absentIfNull(z.enum(fileStatuses)),
    lines: lines.nullish(),
    inserts: z.array(z.int().min(0)).max(changesLimits.ranges).nullish().describe(insertsMeaning),
    blob: z
      .string()
      .regex(objectId, 'must be a full object id in lower case')
      .nullable()
      .optional()
      .describe('The object id of its content after the change; `null` for a removed file, absent if it is not known.'),
  })
  .superRefine(({ previous_path, status, lines: ranges, inserts, blob }, context) => {
    if (blob !== undefined && (blob === null) !== (status === 'removed'))
      addFault(context, 'invalid_value', 'must be null for a removed file, and for no other', ['blob'])
    for (const [at, index] of (inserts ?? []).entries()) {
      const [first, last] = ranges?.[index] ?? []
      if (first === undefined || last !== first + 1)
        addFault(context, 'invalid_value', 'must be the index of a range of two lines', ['inserts', at])
    }
    if (status === 'renamed' && previous_path === undefined)
      addFault(context, 'required', 'a renamed file needs its old path', ['previous_path'])
    if (status !== 'renamed' && previous_path !== undefined)
      addFault(context, 'invalid_value', 'only a renamed file has an old path', ['previous_path'])
  })

/** The changes of a client against its merge base. `null` deletes what it reported before. */
export const ChangesInput = z
  .strictObject({
    head_sha: absentIfNull(z.string().regex(objectId, 'must be a full commit SHA in lower case')),
    files: z
      .array(fileInput)
      .max(changesLimits.files)
      .superRefine((files, context) => {
        const seen = new Set<string>()
        for (const [index, { path: name }] of files.entries()) {
          if (seen.has(name)) addFault(context, 'duplicate', 'is named twice', [index, 'path'])
          seen.add(name)
        }
      }),
  })
  .meta({ description: 'The files and lines that you changed. An empty list says that nothing is changed.' })
export type ChangesInput = z.infer<typeof ChangesInput>

/** What is known of the changes of an activity, without the files. */
export const Changes = z.object({
  by: z.enum(changesSources).describe('Who says it: GitHub, the client, or both; then the changes are the union.'),
  head_sha: z.string().nullable(),
  files_total: z.int().describe('How many files are changed.'),
  files_compared: z
    .int()
    .describe('How many of them are known by name and can be compared. GitHub lists at most 3,000.'),
  read_at: z.iso.datetime().describe('When they were read.'),
})
export type Changes = z.infer<typeof Changes>

export const ChangedFile = z.object({
  path: z.string(),
  previous_path: z.string().nullable(),
  status: z.enum(fileStatuses),
  lines: z.array(z.tuple([z.int(), z.int()])).nullable(),
  inserts: z.array(z.int()).describe('Which ranges of `lines`, by their index, are insertions.'),
})
export type ChangedFile = z.infer<typeof ChangedFile>

/** The changes of a single retrieve: at most 300 files. */
export const ChangesWithFiles = Changes.extend({ files: z.array(ChangedFile).max(changesLimits.files) })
export type ChangesWithFiles = z.infer<typeof ChangesWithFiles>
