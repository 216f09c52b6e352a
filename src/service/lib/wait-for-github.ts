/** Runs a call to GitHub, and decides how the request waits for it. */
export type WaitForGithub = <T>(ask: () => Promise<T>) => Promise<T>
