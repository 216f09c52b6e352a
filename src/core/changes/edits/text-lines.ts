/** The lines of a text, each with its end. The last one may have none. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

/** The same text with `\n` at the end of each line: agents are shown text without `\r`. */
export function withPlainEnds(text: string): string {
  return text.replaceAll('\r\n', '\n')
}
