/** One word of a shell. git reads `GIT_CONFIG_PARAMETERS` in the same form. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
