export interface Entry {
  name: string
  kind: 'Section' | 'Operation' | 'Field' | 'Schema' | 'Error'
  /** The path of an operation, or the schema that a field belongs to. */
  place: string
  /** Its description. */
  text: string
  href: string
}

/** The score of a word in an entry; 0 if it is not there. */
function scoreOf(word: string, entry: Entry): number {
  const name = entry.name.toLowerCase()
  const at = name.indexOf(word)
  if (name === word) return 100
  if (at === 0) return 60
  if (at > 0) return /[\W_]/.test(name[at - 1] ?? '') ? 40 : 20
  if (entry.place.toLowerCase().includes(word)) return entry.kind === 'Operation' ? 50 : 8
  return entry.text.toLowerCase().includes(word) ? 4 : 0
}

/** The entries that have every word of the query, best first. At an equal score, a field comes last. */
export function search(entries: readonly Entry[], query: string): Entry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const scored = entries.map((entry) => {
    const scores = words.map((word) => scoreOf(word, entry))
    const sum = scores.reduce((total, score) => total + score, entry.kind === 'Field' ? 0 : 1)
    return { entry, score: scores.includes(0) ? 0 : sum }
  })
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ entry }) => entry)
}
