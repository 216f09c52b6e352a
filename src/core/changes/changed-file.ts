import type { fileStatuses } from '../enums.ts'

/** One file of a change, whoever tells it. */
export interface ChangedFile {
  path: string
  /** Of a renamed file alone. */
  previous_path: string | null
  status: (typeof fileStatuses)[number]
  /** First and last lines of the old side: see `LineRange`. Empty: changed as a whole. Null: not known. */
  lines: number[][] | null
}
