import { expect, it } from 'vitest'
import { stateLinesOf } from '../../../src/service/db/embedded/state-lines.ts'

const at = (level: string, text: string) => `2026-11-22 20:50:06.055 UTC [7316] ${level}:  ${text}`

const full = at('FATAL', 'could not write to file "pg_wal/xlogtemp.19843": No space left on device')
const end = [
  at('LOG', 'startup process (PID 11797) exited with exit code 1'),
  at('LOG', 'terminating any other active server processes'),
  at('LOG', 'shutting down due to startup process failure'),
]

it('names the error that ended PostgreSQL, however much it logs after that', () => {
  const log = [at('LOG', 'redo starts at 0/1'), full, at('LOG', 'checkpoint starting'), ...end]
  expect(stateLinesOf(log.join('\n'))).toBe([full, log[2], ...end].join('\n'))
  expect(stateLinesOf([full, ...end].join('\n'))).toBe([full, ...end].join('\n'))
  expect(stateLinesOf(end.join('\n'))).toBe(end.join('\n'))
})

it('leaves out statements, and refusals of connections', () => {
  const others = [
    at('ERROR', 'duplicate key'),
    at('STATEMENT', 'insert into activities'),
    at('DETAIL', 'Key (id)=(secret)'),
    at('FATAL', 'the database system is not yet accepting connections'),
  ]
  expect(stateLinesOf([full, ...others].join('\n'))).toBe(full)
})
