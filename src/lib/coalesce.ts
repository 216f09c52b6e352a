/** A question under way, and for whom. */
export interface PendingRequest {
  readonly tokenKey: string
  /** The client addresses that wait for it. */
  readonly addresses: Set<string>
  /** False once something happened that its answer may not know of: then the answer serves those who wait, and is not kept. */
  current: boolean
}

export interface Coalescer<T> {
  /** Waits for the question of this key that is under way, else asks it. Nobody who goes away takes it from the others. */
  run(
    key: string,
    caller: { tokenKey: string; address: string },
    ask: (flight: PendingRequest) => Promise<T>,
  ): Promise<T>
  /** From now on nobody joins the questions under way (of that token, or all), and their answers are not kept. */
  invalidate(tokenKey?: string): void
}

/** Sends equal requests that run at the same time once (docs/rules.md#permission-cache). */
export function createCoalescer<T>(): Coalescer<T> {
  const underWay = new Map<string, { flight: PendingRequest; answer: Promise<T> }>()

  return {
    run(key, { tokenKey, address }, ask) {
      const joined = underWay.get(key)
      if (joined) {
        joined.flight.addresses.add(address)
        return joined.answer
      }
      const flight: PendingRequest = { tokenKey, addresses: new Set([address]), current: true }
      const answer = ask(flight).finally(() => {
        if (underWay.get(key)?.flight === flight) underWay.delete(key)
      })
      underWay.set(key, { flight, answer })
      return answer
    },
    invalidate(tokenKey) {
      for (const [key, { flight }] of underWay) {
        if (tokenKey !== undefined && flight.tokenKey !== tokenKey) continue
        flight.current = false
        underWay.delete(key)
      }
    },
  }
}
