import type { HeldRecord } from './held-record.ts'

/** The newest live records of one kind, as far as there is room. */
export interface BoundedRecords<Item extends HeldRecord> {
  all: ReadonlyMap<string, Item>
  set(item: Item): void
  delete(id: string): void
  /** Holds what the other store holds, and nothing else. */
  replace(by: BoundedRecords<Item>): void
  /** Whether a further record would be left out. */
  isFull(): boolean
  /** Leaves out the oldest ones for which there is no room, and returns their ids. */
  trim(): string[]
  /** Notes that more records are live than are held. */
  noteCut(): void
  isCut(): boolean
  /** Whether records were left out for which there is room again. */
  hasRoom(): boolean
  newest(): Item[]
  bytes(): number
}

/** Leaves room below the bounds, so that records are not read anew whenever one ends. */
const roomShare = 3 / 4

export function createBoundedRecords<Item extends HeldRecord>(bounds: {
  records: number
  bytes(): number
}): BoundedRecords<Item> {
  const all = new Map<string, Item>()
  let [bytes, isCut] = [0, false]
  const isBeyond = (share: number) => all.size >= share * bounds.records || bytes >= share * bounds.bytes()

  function remove(id: string): void {
    bytes -= all.get(id)?.bytes ?? 0
    all.delete(id)
  }

  function set(item: Item): void {
    remove(item.id)
    all.set(item.id, item)
    bytes += item.bytes
  }

  return {
    all,
    set,
    delete: remove,
    replace(by) {
      all.clear()
      bytes = 0
      for (const item of by.all.values()) set(item)
      isCut = by.isCut()
    },
    isFull: () => isBeyond(1),
    trim() {
      const left: string[] = []
      if (all.size <= bounds.records && bytes <= bounds.bytes()) return left
      // Ids are in the order of creation.
      for (const id of [...all.keys()].sort()) {
        if (all.size <= bounds.records && bytes <= bounds.bytes()) break
        remove(id)
        left.push(id)
      }
      isCut = true
      return left
    },
    noteCut() {
      isCut = true
    },
    isCut: () => isCut,
    hasRoom: () => isCut && !isBeyond(roomShare),
    newest: () => [...all.values()].sort((a, b) => (a.id < b.id ? 1 : -1)),
    bytes: () => bytes,
  }
}

/** Stores the records of all pages, as far as there is room. */
export async function fillRecords<Item, Held extends HeldRecord>(
  store: BoundedRecords<Held>,
  pages: AsyncIterable<readonly Item[]>,
  hold: (item: Item) => Held,
): Promise<void> {
  for await (const page of pages) {
    for (const item of page) {
      if (store.isFull()) return store.noteCut()
      store.set(hold(item))
    }
  }
}
