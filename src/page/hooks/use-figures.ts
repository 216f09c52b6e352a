import { useEffect, useState } from 'preact/hooks'
import type { RepositoryOfPage } from '../../http/page-paths.ts'
import type { ListedCollisions } from '../../live/schema.ts'
import type { Notable } from '../../notable/schema.ts'
import { freezesOf } from '../../sentence/sentence.ts'
import { apiPath, send } from '../client/requests.ts'

/** How many repositories are asked about. */
const mostAsked = 5

/** What is said of each repository of the start page, by name: `3 collide · 1 yours · freeze`. One is asked at a time. */
export function useFigures(names: readonly RepositoryOfPage[], isOn: boolean): ReadonlyMap<string, string> {
  const [figures, setFigures] = useState<ReadonlyMap<string, string>>(new Map())
  useEffect(() => {
    if (!isOn) return
    let isOver = false
    const askAll = async () => {
      for (const name of names.slice(0, mostAsked)) {
        const text = await figuresOf(name)
        if (isOver) return
        setFigures((before) => new Map([...before, [`${name.owner}/${name.repo}`, text]]))
      }
    }
    void askAll()
    return () => {
      isOver = true
    }
  }, [names, isOn])
  return figures
}

async function figuresOf({ owner, repo }: RepositoryOfPage): Promise<string> {
  const ask = <Body>(path: string) => send<Body>('GET', apiPath(owner, repo, path))
  const all = await ask<ListedCollisions>('/collisions')
  if (!all.ok) return all.refusal?.status === 404 ? 'not found' : 'not known now'
  const { items, truncated } = all.body
  const own = items.length > 0 ? await ask<ListedCollisions>('/collisions?mine=true') : undefined
  const notables = await ask<{ items: Notable[] }>('/notables?limit=100')
  const yours = own?.ok ? own.body.items.length : 0
  const hasFreeze = notables.ok && freezesOf(notables.body.items).length > 0
  const collide =
    items.length === 0 && truncated ? 'not compared yet' : `${items.length}${truncated ? '+' : ''} collide`
  return [collide, ...(yours > 0 ? [`${yours} yours`] : []), ...(hasFreeze ? ['freeze'] : [])].join(' · ')
}
