import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { readIgnored, readStages } from '../../scripts/image/dockerfile.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const directory = mkdtempSync(join(tmpdir(), 'headsup-dockerfile-'))
afterAll(() => rmSync(directory, { recursive: true }))

describe('the steps of the image', () => {
  it('are read from the Dockerfile of this project', () => {
    const stages = readStages(join(root, 'Dockerfile'))
    expect(stages.map(({ name }) => name)).toEqual(['build', undefined])
    const names = stages.map(({ steps }) => new Set(steps.map(({ name }) => name)))
    expect(names[0]).toEqual(new Set(['WORKDIR', 'COPY', 'RUN']))
    expect(names[1]).toEqual(new Set(['ENV', 'WORKDIR', 'COPY', 'USER', 'EXPOSE', 'HEALTHCHECK', 'CMD']))
  })

  it('are refused where an instruction is unknown to the script', () => {
    const file = join(directory, 'Dockerfile')
    writeFileSync(file, 'FROM a\nADD b c\n')
    expect(() => readStages(file)).toThrow('Not known here: ADD b c')
  })

  it('see only the files that .dockerignore allows', () => {
    const isSent = readIgnored(join(root, '.dockerignore'))
    expect(['src', 'src/service/main.ts', 'prisma/schema.prisma', '.npmrc'].map(isSent)).toEqual([
      true,
      true,
      true,
      true,
    ])
    expect(['.env', 'test/a.ts', 'src/service/db/generated/client.ts', 'dist'].map(isSent)).toEqual([
      false,
      false,
      false,
      false,
    ])
  })
})
