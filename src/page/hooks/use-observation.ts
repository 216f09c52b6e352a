import { useEffect, useState } from 'preact/hooks'
import type { RepositoryOfPage } from '../../http/page-paths.ts'
import type { Observed } from '../../observed/state.ts'
import { apiPath, send } from '../client/requests.ts'

const everyMs = 60_000
/** The interval during the first reading. */
const soonMs = 4_000

/**
 * What a check says about open pull requests. The check has no scope. It also starts a reading that is due. Calls
 * `onSessionOver` where the session has ended.
 */
export function useObservation(
  { owner, repo }: RepositoryOfPage,
  isOn: boolean,
  onSessionOver: () => void,
): Observed | undefined {
  const [observation, setObservation] = useState<Observed>()
  useEffect(() => {
    if (!isOn) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const ask = async () => {
      const path = apiPath(owner, repo, '/activity/check')
      const reply = await send<{ observed: Observed }>('POST', path, {
        body: {},
        headers: { prefer: 'wait=0' },
      })
      if (isOver) return
      if (!reply.ok && reply.refusal?.status === 401) return onSessionOver()
      if (reply.ok) setObservation(reply.body.observed)
      const isReading = reply.ok && reply.body.observed.pull_requests === 'reading'
      timer = setTimeout(() => void ask(), isReading ? soonMs : everyMs)
    }
    void ask()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [owner, repo, isOn, onSessionOver])
  return observation
}
