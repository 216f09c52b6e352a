/** First and last line, 1-based, both included. */
export type LineRange = readonly [first: number, last: number]

export type FileStatus = 'added' | 'modified' | 'removed' | 'renamed'

/** Which lines of a file are changed. */
export interface ChangedLines {
  /**
   * The changed lines of the old side, without context. An insertion after line n is `[n, n + 1]`, a new file `[0, 1]`;
   * null where they are not known.
   */
  lines: readonly LineRange[] | null
  /** Which of the ranges, by their index, are insertions. Absent: all those of two lines, as in older data. */
  inserts?: readonly number[] | undefined
}

/** The change of one file, as GitHub or the client reports it. */
export interface FileChange extends ChangedLines {
  path: string
  previous_path: string | null
  status: FileStatus
  /** The object id of its content after the change; null for a removed file, absent where it is not known. */
  blob?: string | null | undefined
}
