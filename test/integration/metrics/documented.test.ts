import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { metricsToken, run, scraped } from './running.ts'

const page = new URL('../../../docs/operating.md', import.meta.url)

it('docs/operating.md names exactly the existing metrics, with their types', async () => {
  const { url } = await run()
  const text = await scraped(`${url}/metrics`, metricsToken)
  const types = [...text.matchAll(/^# TYPE (headsup_\w+) (\w+)$/gm)].map(([, name, type]) => `${name} ${type}`)
  const documented = await readFile(page, 'utf8')
  const rows = [...documented.matchAll(/^\| `(headsup_\w+)` \| (\w+) \|/gm)].map(([, name, type]) => `${name} ${type}`)
  expect(types.length).toBeGreaterThan(10)
  expect(rows.toSorted()).toEqual(types.toSorted())
  const names = new Set(types.map((type) => type.split(' ')[0]))
  const inAlerts = [...documented.matchAll(/\bheadsup_\w+/g)].map(([name]) => name.replace(/_bucket$/, ''))
  expect(inAlerts.filter((name) => !names.has(name))).toEqual([])
})
