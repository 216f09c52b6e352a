/** The limits on the changes of a client. The command line shortens longer ones. */
export const changesLimits = { files: 300, ranges: 100 } as const

/** GitHub lists no more files of a comparison of two commits. It does not say how many there are. */
export const mostFilesCompared = 300
