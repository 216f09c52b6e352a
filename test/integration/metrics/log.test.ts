import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { runWithContext } from '../../../src/service/lib/request-context.ts'
import { logCalls } from '../../../src/service/telemetry/log-calls.ts'
import { createTestDatabase, databaseAt } from '../../support/database.ts'
import { faults } from '../../support/github/faults.ts'
import { collectingLog } from '../settings/collecting-log.ts'
import { appOf, run } from './running.ts'

describe('the log', () => {
  it('has a debug line for each call to GitHub with the request id, and without token or repository', async () => {
    const { github, ask, lines } = await run({}, appOf)
    const { writer, stranger } = github.addRepository('hidden-name', 'hidden-owner')
    github.install('hidden-owner')
    const path = '/api/v1/repos/hidden-owner/hidden-name/activity'
    await ask(writer, path, { headers: { 'x-request-id': 'first' } })
    await ask(stranger, path, { headers: { 'x-request-id': 'second' } })
    const calls = () => lines.filter(({ message }) => message === 'call to GitHub').map(({ fields }) => fields)
    const seen = { level: 'debug', route: 'GET /repos/{owner}/{repo}', asker: 'caller' }
    expect(calls()).toContainEqual({
      ...seen,
      request_id: 'first',
      status: 200,
      remaining: expect.any(Number),
      ms: expect.any(Number),
    })
    expect(calls()).toContainEqual(expect.objectContaining({ ...seen, request_id: 'second', status: 404 }))
    await vi.waitFor(() => {
      expect(calls()).toContainEqual(expect.objectContaining({ asker: 'installation', request_id: 'first' }))
      expect(calls()).toContainEqual(expect.objectContaining({ asker: 'app', job: 'redeliver' }))
    }, 20_000)
    expect(JSON.stringify(calls())).not.toMatch(/hidden|ghp_|ghs_|eyJ/)
  })

  it('names no repository of a caller when GitHub refuses the token', async () => {
    const { github, ask, lines } = await run({ HEADSUP_PERMISSION_CACHE_MS: '0' })
    const { writer } = github.addRepository('hidden-name', 'hidden-owner')
    const request = (token: string) => ask(token, '/api/v1/repos/hidden-owner/hidden-name/activity')
    for (const fault of [faults.unicorn(), faults.primaryLimit()]) {
      github.fail(fault)
      await request(writer)
      github.heal()
    }
    await request('ghp_nobody')
    const levels = (message: string) =>
      lines.filter((line) => line.message === message).map(({ fields }) => fields.level)
    expect(levels('GitHub gave no usable answer')).toEqual(['warn'])
    expect(levels("a token's rate limit at GitHub is spent")).toEqual(['warn'])
    expect(levels('GitHub refused a token')).toEqual(['info'])
    expect(JSON.stringify(lines)).not.toContain('hidden')
  })

  it('warns of slow statements with the right request id and without values, also after a wait for a connection', async () => {
    const database = await createTestDatabase()
    const log = collectingLog()
    const db = databaseAt(database.url, { poolSize: 1, emit: logCalls(log, 0) })
    onTestFinished(async () => {
      await db.close()
      await database.drop()
    })
    const asked = ['a', 'b', 'c'].map((requestId) =>
      runWithContext({ requestId }, async () => {
        await db.query('select $1::text as\n  text', [`secret of ${requestId}`])
        await db.prisma.repository.findFirst({ where: { owner: `secret of ${requestId}` } })
        await db.transaction(async (tx) => tx.repository.count())
        await db.query(`select 1 / ${requestId === 'b' ? 0 : 1}`).catch(() => {})
      }),
    )
    await Promise.all(asked)
    await runWithContext({ job: 'sweep' }, () => db.pool.query({ text: 'select 2', values: [] }))
    const slow = log.lines.map(({ message, fields }) => ({ message, ...fields }))
    for (const request_id of ['a', 'b', 'c']) {
      const statements = slow.filter((line) => 'request_id' in line && line.request_id === request_id)
      expect(statements.map(({ statement }: Record<string, unknown>) => statement)).toEqual([
        'select $1::text as text',
        expect.stringMatching(/^SELECT .*"owner" = \$1/),
        'BEGIN',
        expect.stringMatching(/^SELECT COUNT/),
        'COMMIT',
        expect.stringMatching(/^select 1 \/ [01]$/),
      ])
      expect(statements).toMatchObject([...Array(5).fill({ failed: false }), { failed: request_id === 'b' }])
    }
    expect(slow).toContainEqual({
      message: 'slow statement',
      level: 'warn',
      job: 'sweep',
      statement: 'select 2',
      failed: false,
      ms: expect.any(Number),
    })
    expect(JSON.stringify(slow)).not.toContain('secret of')
  })

  it('has no line for a fast statement', () => {
    const log = collectingLog()
    const emit = logCalls(log)
    for (const ms of [499, 500])
      emit({ kind: 'query', requestContext: undefined, text: `select ${ms}`, ms, failed: false })
    expect(log.lines.map(({ fields }) => fields.statement)).toEqual(['select 500'])
  })
})
