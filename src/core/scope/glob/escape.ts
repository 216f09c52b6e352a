/**
 * A path of git, from the top of the repository, as a glob that matches this path (and what lies below it, should it be
 * a directory). Imports nothing: the command line uses it too. The dialect can't express a backslash in a file's name.
 * It becomes `?`, which matches that path and a few more.
 */
export function escapeGlob(path: string): string {
  return path.replace(/[*?[\]{},!()]/g, '\\$&').replace(/\\(?![*?[\]{},!()])/g, '?')
}

/**
 * A glob for a person: without escapes where it has no wildcard, except for a `/**` at the end. An escaped `*` or `?`
 * keeps its escape, since it would look like a wildcard.
 */
export function readableGlob(glob: string): string {
  const isPath = !/[*?]|(?<!\\)[[{]/.test(glob.replace(/\/\*\*$/, ''))
  return isPath ? glob.replace(/\\(.)/gu, '$1') : glob
}
