import { expect, it } from 'vitest'
import { createConnectionLog } from '../../../src/service/db/connection-log.ts'
import { silentLog } from '../../support/log.ts'

const gone = new AggregateError([new Error('no 1'), new Error('no 2')])
const lost = 'the database can not be reached'
const reached = 'the database is reached again'
const since = '2026-01-01T00:00:00.000Z'

function start() {
  const clock = { now: Date.parse(since) }
  const lines: object[] = []
  const keep = (level: string) => (fields: object, message: string) => void lines.push({ level, message, ...fields })
  const outage = createConnectionLog({ ...silentLog, info: keep('info'), warn: keep('warn') }, () => clock.now)
  return { clock, lines, outage }
}

it('logs the start and the end of an outage once, with the reason and the time', () => {
  const { clock, lines, outage } = start()
  outage.reached()
  for (let second = 0; second < 30; second++) {
    outage.lost(gone)
    clock.now += 1_000
  }
  outage.reached()
  outage.reached()
  expect(lines).toEqual([
    { level: 'warn', message: lost, since, away_ms: 0, error: 'no 1; no 2' },
    { level: 'info', message: reached, since, away_ms: 30_000 },
  ])
})

it('repeats the warning once a minute, and starts over with the next outage', () => {
  const { clock, lines, outage } = start()
  for (let second = 0; second <= 150; second++) {
    outage.lost(gone)
    clock.now += 1_000
  }
  expect(lines).toMatchObject([0, 60_000, 120_000].map((away_ms) => ({ message: lost, since, away_ms })))
  outage.reached()
  outage.lost(gone)
  expect(lines.slice(3)).toMatchObject([
    { message: reached, since },
    { message: lost, away_ms: 0 },
  ])
})
