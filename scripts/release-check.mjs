// Whether this is ready to be released: npm run release:check, after `npm run build`. Fails where a rule of
// release/rules.mjs is broken. `--without-image` leaves out `npm run image-steps`, which needs Linux, root, a registry, and
// DATABASE_URL of an empty database. GITHUB_REF_NAME is the tag, where it begins with v.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { changelogFaults, imageFaults, sbomFaults, tarballFaults, versionFaults } from './release/rules.mjs'
import { makeSbom } from './release/sbom.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (file) => readFileSync(join(root, file), 'utf8')
const run = (program, args, cwd = root) => execFileSync(program, args, { cwd, encoding: 'utf8' })
const manifest = JSON.parse(read('package.json'))
const { version } = manifest
const temporary = mkdtempSync(join(tmpdir(), 'headsup-release-'))
let isReady = true
try {
  report('versions', versionFaults({ version, others: otherVersions(), tag: tag(), least: leastVersions() }))
  report('changelog', changelogFaults(read('CHANGELOG.md'), version, new Date().toISOString().slice(0, 10)))
  report('tarball', tarballFaults(pack(), version))
  report('SBOM', sbomFaults(JSON.parse(makeSbom(root)), manifest))
  if (process.argv.includes('--without-image')) console.log('skipped  image steps')
  else report('image steps', imageFaults(spawnSync('npm', ['run', '--silent', 'image-steps'], { cwd: root }).status))
} finally {
  rmSync(temporary, { recursive: true, force: true })
}
if (!isReady) process.exitCode = 1

function report(rule, faults) {
  if (faults.length === 0) console.log(`ok       ${rule}`)
  for (const fault of faults) console.log(`fail     ${rule}: ${fault}`)
  isReady &&= faults.length === 0
}

function otherVersions() {
  const lock = JSON.parse(read('package-lock.json'))
  return {
    'package-lock.json': lock.version,
    'the root of package-lock.json': lock.packages[''].version,
    'dist/package/package.json': JSON.parse(read('dist/package/package.json')).version,
    'dist/headsup.mjs': /\d+\.\d+\.\d+\S*/.exec(run(process.execPath, ['dist/headsup.mjs', '--version']))?.[0],
  }
}

function tag() {
  const { GITHUB_REF_NAME: name } = process.env
  return name?.startsWith('v') ? name : undefined
}

/** The versions that migrations ask for. */
function leastVersions() {
  const directories = readdirSync(join(root, 'prisma/migrations'), { withFileTypes: true })
  const texts = directories
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => read(`prisma/migrations/${name}/migration.sql`))
  return texts.flatMap((text) => {
    const statements = text.split(';').filter((statement) => statement.includes("'least_version'"))
    return statements.flatMap((statement) => [...statement.matchAll(/"(\d+\.\d+\.\d+)"/g)].map(([, least]) => least))
  })
}

/** Packs the command line as the workflow does, and installs it elsewhere. */
function pack() {
  const [packed] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', temporary, './dist/package']))
  run(
    'npm',
    ['install', '--offline', '--no-audit', '--no-fund', '--prefix', temporary, join(temporary, packed.filename)],
    temporary,
  )
  const { stdout } = spawnSync(join(temporary, 'node_modules/.bin/headsup'), ['--version'], { encoding: 'utf8' })
  return { files: packed.files, printed: (stdout ?? '').trim() }
}
