/** Line breaks too. A tab is shown as it is. */
const hidden = /(?!\t)[\p{Cc}\p{Zl}\p{Zp}]|\p{Bidi_Control}/gu

/** One line for a terminal: without what could move its cursor or change the order of its characters. */
export function plain(text: string): string {
  return text.toWellFormed().replace(hidden, ' ')
}

/** The lines of a text of the service. */
export function plainLines(text: string): string[] {
  return text
    .split('\n')
    .map(plain)
    .filter((line) => line.trim() !== '')
}
