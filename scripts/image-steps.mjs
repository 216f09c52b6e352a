// Runs the steps of the Dockerfile one by one, without Docker: each stage in a fresh root directory that holds what the
// steps before it copied and made, and the programs of this machine in place of the base image's. Then it runs the
// image's command as another user on a read-only file system, and its health check. Fails on anything that does not
// work, and on an instruction that it does not know. Needs Linux, root, a registry, and DATABASE_URL of an empty
// database: npm run image-steps
import { chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readIgnored, readStages } from './image/dockerfile.mjs'
import { makeRoot, runIn } from './image/root.mjs'

const context = fileURLToPath(new URL('..', import.meta.url))
const databaseUrl = process.env.DATABASE_URL
if (!databaseUrl || process.getuid?.() !== 0) throw new Error('DATABASE_URL and root are needed.')

const isSent = readIgnored(join(context, '.dockerignore'))
const temporary = mkdtempSync(join(tmpdir(), 'headsup-image-'))
const roots = new Map()
try {
  const stages = readStages(join(context, 'Dockerfile'))
  let image
  for (const [index, stage] of stages.entries()) image = await build(stage, join(temporary, String(index)))
  await check(image)
  console.log('All steps of the Dockerfile work, and so does its image.')
} finally {
  rmSync(temporary, { recursive: true, force: true })
}

async function build({ name, steps }, root) {
  mkdirSync(root)
  makeRoot(root)
  roots.set(name, root)
  const image = { root, workdir: '/', env: {}, user: 'root', health: undefined, command: undefined }
  for (const { name: step, text } of steps) {
    console.log(`${step} ${text}`)
    if (step === 'WORKDIR') {
      image.workdir = text
      mkdirSync(join(root, text), { recursive: true })
    } else if (step === 'COPY') copy(image, text)
    else if (step === 'ENV') Object.assign(image.env, Object.fromEntries([text.split('=')]))
    else if (step === 'USER') image.user = text
    else if (step === 'HEALTHCHECK') image.health = JSON.parse(text.slice(text.indexOf('CMD') + 3))
    else if (step === 'CMD') image.command = JSON.parse(text)
    else if (step === 'RUN') await run(image, text)
  }
  return image
}

async function run(image, text) {
  const {
    npm_config_registry: registry = 'https://registry.npmjs.org/',
    HTTPS_PROXY: proxy,
    NODE_EXTRA_CA_CERTS: certificates,
  } = process.env
  const network = {
    npm_config_registry: registry,
    ...(proxy && { HTTPS_PROXY: proxy }),
    ...(certificates && { NODE_EXTRA_CA_CERTS: certificates }),
  }
  const code = await runIn(image.root, ['sh', '-c', text], { ...image, env: { ...image.env, ...network } }).ended
  if (code !== 0) throw new Error(`RUN ${text}: ended with ${code}`)
}

function copy({ root, workdir }, text) {
  const words = text.split(/\s+/)
  const from = /^--from=(.+)$/.exec(words[0] ?? '')?.[1]
  const [target = '', ...sources] = (from ? words.slice(1) : words).reverse()
  const origin = from ? roots.get(from) : context
  for (const source of sources) {
    const path = join(origin, source)
    if (!existsSync(path)) throw new Error(`COPY ${source}: there is no such file`)
    if (!from && !isSent(source)) throw new Error(`COPY ${source}: .dockerignore leaves it out`)
    // A directory is copied by its content, a file into the directory that is named.
    const isFile = statSync(path).isFile()
    const into = join(root, workdir, target, isFile ? (source.split('/').at(-1) ?? '') : '')
    const filter = (one) => Boolean(from) || isSent(relative(context, one))
    cpSync(path, into, { recursive: true, verbatimSymlinks: true, filter })
    chownSync(into, 0, 0)
  }
}

/** Runs the command of the image until it is ready, then its health check, then stops it. */
async function check(image) {
  const port = '38471'
  const env = { ...image.env, DATABASE_URL: databaseUrl, HOST: '127.0.0.1', PORT: port, LOG_LEVEL: 'warn' }
  if (image.user === 'root') throw new Error('The image runs as root.')
  const { child, ended } = runIn(image.root, image.command, { ...image, env })
  let isEnded = false
  void ended.then(() => (isEnded = true))
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  for (let tries = 0; !(await isReady()); tries++) {
    if (isEnded || tries > 120) throw new Error('The image does not get ready.')
    await sleep(500)
  }
  const healthy = await runIn(image.root, image.health, { ...image, env }).ended
  if (healthy !== 0) throw new Error(`The health check ended with ${healthy}.`)
  child.kill('SIGTERM')
  const code = await ended
  if (code !== 0) throw new Error(`After SIGTERM the image ended with ${code}.`)
}
