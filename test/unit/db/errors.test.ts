import { readdir } from 'node:fs/promises'
import { expect, it, onTestFinished } from 'vitest'
import { createDatabase } from '../../../src/service/db/database.ts'
import { isDatabaseUnavailable } from '../../../src/service/db/database-errors.ts'
import { retryWhileUnavailable } from '../../../src/service/db/wait-for-database.ts'
import { silentLog } from '../../support/log.ts'

it.each([
  'timeout expired',
  'timeout exceeded when trying to connect',
  'Connection terminated due to connection timeout',
])('a database that takes no connection in time is unavailable, and not a refusal: %s', (message) => {
  expect(isDatabaseUnavailable(new Error(message))).toBe(true)
})

it('a wrong password is a refusal', () => {
  expect(isDatabaseUnavailable(Object.assign(new Error('password authentication failed'), { code: '28P01' }))).toBe(
    false,
  )
})

it('a missing socket of the database is unavailable, in plain SQL, in Prisma and in a transaction', async () => {
  const db = createDatabase('postgresql://user@%2Fnowhere/headsup', { log: silentLog })
  onTestFinished(() => db.close())
  for (const work of [
    () => db.query('select 1'),
    () => db.prisma.serviceFact.count(),
    () => db.transaction((tx) => tx.serviceFact.count()),
  ]) {
    const error = await work().catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'ENOENT' })
    expect(isDatabaseUnavailable(error)).toBe(true)
  }
})

it('a missing file of the installation is no unavailable database', async () => {
  const error = await readdir('/nowhere').catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'ENOENT' })
  expect(isDatabaseUnavailable(error)).toBe(false)
})

it.each([
  { isEmbedded: false, name: 'the database of DATABASE_URL' },
  { isEmbedded: true, name: 'the embedded database' },
])('the reason of a start that gives up names $name', async ({ isEmbedded, name }) => {
  const away = () => Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }))
  const start = retryWhileUnavailable(away, { timeoutMs: 0, log: silentLog, isEmbedded })
  await expect(start).rejects.toThrow(`${name} does not answer: away`)
})
