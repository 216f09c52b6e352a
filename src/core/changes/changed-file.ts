import type { fileStatuses } from '../enums.ts'

export interface ChangedFile {
  path: string
  /** Of a renamed file alone. */
  previous_path: string | null
  status: (typeof fileStatuses)[number]
  /** First and last lines of the old side: see `LineRange`. Empty: changed as a whole. Null: not known. */
  lines: number[][] | null
}
