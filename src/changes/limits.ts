/** The limits on the changes of a client. The command line shortens longer ones. */
export const changesLimits = { files: 300, ranges: 100 } as const
