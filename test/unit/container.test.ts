import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

const root = new URL('../../', import.meta.url)
const read = (file: string) => readFileSync(new URL(file, root), 'utf8')
const isThere = (path: string) => existsSync(new URL(path, root))

const dockerfile = read('Dockerfile').replaceAll('\\\n', ' ')
const copies = [...dockerfile.matchAll(/^COPY (--from=build )?(.+) \S+$/gm)].map(([, stage, sources = '']) => ({
  fromBuild: stage !== undefined,
  sources: sources.split(' '),
}))
const commands = [...dockerfile.matchAll(/^(?:HEALTHCHECK .*)?CMD (\[.*\])$/gm)].map(([, words = '']) =>
  z.array(z.string()).parse(JSON.parse(words)),
)
const [health = [], main = []] = commands

describe('the image', () => {
  const ours = copies.filter(({ fromBuild }) => !fromBuild).flatMap(({ sources }) => sources)
  const ignore = read('.dockerignore').split('\n')
  const sent = ignore.filter((line) => line.startsWith('!')).map((line) => line.slice(1))

  it('copies files that are there, and that the builder is sent', () => {
    expect(ours.length).toBeGreaterThan(8)
    expect(ours.filter((path) => !isThere(path))).toEqual([])
    expect(ours.filter((path) => !sent.some((allowed) => path === allowed || path.startsWith(`${allowed}/`)))).toEqual(
      [],
    )
    expect(sent.filter((path) => !ours.includes(path))).toEqual([])
    expect(ignore[ignore.findIndex((line) => line.startsWith('!')) - 1]).toBe('*')
  })

  it('runs what the build makes of the source that it was given', () => {
    expect(main).toEqual(['node', 'dist/service/main.js'])
    expect(isThere('src/service/main.ts')).toBe(true)
    const { include } = z.object({ include: z.array(z.string()) }).parse(JSON.parse(read('tsconfig.build.json')))
    expect(include.filter((pattern) => !ours.includes(pattern.split('/')[0] ?? ''))).toEqual([])
    const kept = copies.filter(({ fromBuild }) => fromBuild).flatMap(({ sources }) => sources)
    expect(kept.sort()).toEqual(['/app/dist', '/app/node_modules'])
  })

  it('is built for each processor without emulating it', () => {
    const [build = '', final = ''] = dockerfile.split(/^FROM /m).slice(1)
    expect(build).toMatch(/^--platform=\$BUILDPLATFORM /)
    expect(final).not.toMatch(/^RUN /m)
    const Package = z.looseObject({ os: z.unknown(), cpu: z.unknown(), hasInstallScript: z.unknown() }).partial()
    const kept = z
      .record(
        z.string(),
        Package.extend({ dev: z.boolean(), optional: z.boolean(), devOptional: z.boolean() }).partial(),
      )
      .parse(JSON.parse(read('package-lock.json')).packages)
    const ofProcessor = Object.entries(kept)
      .filter(([, { dev, optional, devOptional }]) => !dev && !optional && !devOptional)
      .filter(([, { os, cpu, hasInstallScript }]) => os || cpu || hasInstallScript)
    expect(Object.keys(kept).length).toBeGreaterThan(100)
    expect(ofProcessor).toEqual([])
  })

  it('is healthy while its service answers 200, on the port of the probes where there is one', async () => {
    let status = 200
    const server = createServer((request, response) => {
      response.writeHead(request.url === '/healthz' ? status : 404).end()
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const port = String((server.address() as AddressInfo).port)
    expect(await exitCode({ PORT: port })).toBe(0)
    expect(await exitCode({ PORT: '1', METRICS_PORT: port })).toBe(0)
    expect(await exitCode({ PORT: '1' })).toBe(1)
    status = 503
    expect(await exitCode({ PORT: port })).toBe(1)
  })
})

function exitCode(env: Record<string, string>): Promise<unknown> {
  const [program, ...args] = health
  expect(program).toBe('node')
  return new Promise((resolve) => execFile(process.execPath, args, { env }, (error) => resolve(error?.code ?? 0)))
}

it('compose publishes the port that the service listens on, only to this machine, keeps the data of PostgreSQL, and starts Caddy only where TLS is wanted', () => {
  const Service = z.looseObject({ environment: z.record(z.string(), z.unknown()) })
  const { services, volumes } = z
    .object({
      services: z.object({
        caddy: z.looseObject({ profiles: z.array(z.string()), command: z.string() }),
        headsup: Service.extend({ ports: z.array(z.string()) }),
        postgres: Service.extend({ volumes: z.array(z.string()), image: z.string() }),
      }),
      volumes: z.record(z.string(), z.unknown()),
    })
    .parse(parse(read('compose.yaml')))
  const port = /^EXPOSE (\d+)$/m.exec(dockerfile)?.[1]
  expect(services.headsup.ports).toEqual([`127.0.0.1:${port}:${port}`])
  expect(String(services.headsup.environment.PORT)).toBe(port)
  expect(services.headsup.environment.HEADSUP_PUBLIC_URL).toContain(`http://127.0.0.1:${port}`)
  const { POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB } = services.postgres.environment
  const url = `postgresql://${POSTGRES_USER}:${POSTGRES_PASSWORD}@postgres:5432/${POSTGRES_DB}`
  expect(services.headsup.environment.DATABASE_URL).toBe(url)
  const [volume = ''] = services.postgres.volumes.map((mount) => mount.split(':')[0])
  expect(Object.keys(volumes)).toEqual(['caddy', volume])
  expect(services.caddy.profiles).toEqual(['tls'])
  expect(services.caddy.command).toBe(`caddy reverse-proxy --from https://\${TLS_HOST:-localhost} --to headsup:${port}`)
})
