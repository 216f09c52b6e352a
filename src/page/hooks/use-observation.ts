import { useEffect, useState } from 'preact/hooks'
import type { RepositoryName } from '../../http/page-paths.ts'
import { apiPath, send } from '../client/requests.ts'
import type { Observation } from '../model/observation.ts'

const everyMs = 60_000

/** What is known of open pull requests. Asked with an empty check, which also wakes a reading where one is due. */
export function useObservation({ owner, repo }: RepositoryName, isOn: boolean): Observation | undefined {
  const [observation, setObservation] = useState<Observation>()
  useEffect(() => {
    if (!isOn) return
    const ask = async () => {
      if (document.hidden) return
      const path = apiPath(owner, repo, '/activity/check')
      const reply = await send<{ observed: Observation }>('POST', path, { body: {}, headers: { prefer: 'wait=0' } })
      if (reply.ok) setObservation(reply.body.observed)
    }
    void ask()
    const timer = setInterval(() => void ask(), everyMs)
    return () => clearInterval(timer)
  }, [owner, repo, isOn])
  return observation
}
