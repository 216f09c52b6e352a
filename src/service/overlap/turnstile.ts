import { AppError } from '../../core/errors.ts'

const most = 2
const longestMs = 10_000

/** How many checks of each token are in progress, and those that wait. */
const busy = new Map<string, { count: number; waiting: (() => void)[] }>()

/** Compares two at once of one token; the others wait, so that one caller does not take all of the time. */
export async function atMostTwo<Result>(tokenKey: string, work: () => Promise<Result>): Promise<Result> {
  const place = busy.get(tokenKey) ?? { count: 0, waiting: [] }
  busy.set(tokenKey, place)
  if (place.count < most) place.count++
  else await turnOf(place.waiting)
  try {
    return await work()
  } finally {
    const next = place.waiting.shift()
    if (next) next()
    else if (--place.count === 0) busy.delete(tokenKey)
  }
}

function turnOf(waiting: (() => void)[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const begin = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(begin), 1)
      reject(
        new AppError('unavailable', 'Other checks of this token take their time.', { retryAt: Date.now() + 1_000 }),
      )
    }, longestMs)
    waiting.push(begin)
  })
}
