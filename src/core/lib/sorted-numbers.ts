/** The numbers of all lists, each once, the smallest first. */
export function sortedNumbers(...lists: readonly (readonly number[])[]): number[] {
  return [...new Set(lists.flat())].sort((a, b) => a - b)
}
