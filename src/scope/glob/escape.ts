/**
 * A path of git, from the top of the repository, as a glob that matches this path (and what lies below it, should it be
 * a directory). Imports nothing: the command line uses it too. The dialect can't express a backslash in a file's name.
 * It becomes `?`, which matches that path and a few more.
 */
export function escapeGlob(path: string): string {
  return path.replace(/[*?[\]{},!()]/g, '\\$&').replace(/\\(?![*?[\]{},!()])/g, '?')
}
