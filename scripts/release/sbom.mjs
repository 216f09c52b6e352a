import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * What the service runs with, by name, version and hash, as CycloneDX. npm describes a directory without development
 * dependencies: with `--omit dev` it also leaves out what one of them needs too, such as express and zod, and it calls the
 * project by the name of its directory.
 * @param {string} root
 * @returns {string}
 */
export function makeSbom(root) {
  const read = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'))
  const { devDependencies: _, ...manifest } = read('package.json')
  const lock = read('package-lock.json')
  const { devDependencies: __, ...top } = lock.packages['']
  const kept = Object.entries(lock.packages).filter(([path, { dev, devOptional }]) => path && !dev && !devOptional)
  const temporary = mkdtempSync(join(tmpdir(), 'headsup-sbom-'))
  try {
    const directory = join(temporary, manifest.name)
    mkdirSync(directory)
    writeFileSync(join(directory, 'package.json'), JSON.stringify(manifest))
    const packages = { '': top, ...Object.fromEntries(kept) }
    writeFileSync(join(directory, 'package-lock.json'), JSON.stringify({ ...lock, packages }))
    const options = ['--package-lock-only', '--sbom-format', 'cyclonedx']
    return execFileSync('npm', ['sbom', ...options], { cwd: directory, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}
