/** How much a client may say about its changes. The command line shortens more to this. */
export const changesLimits = { files: 300, ranges: 100 } as const
