import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { expect, it } from 'vitest'
import { z } from 'zod'

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const { dependencies, allowScripts } = z
  .object({ dependencies: z.record(z.string(), z.string()), allowScripts: z.record(z.string(), z.literal(false)) })
  .parse(JSON.parse(read('package.json')))

/** The package of what is imported: `@scope/name` or `name`. */
function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}

it('runs on what an installation without development dependencies has', () => {
  const files = readdirSync(new URL('src/', root), { recursive: true, encoding: 'utf8' })
  // The page is bundled with all that it imports.
  const installed = files.map((file) => file.replaceAll('\\', '/')).filter((file) => !file.startsWith('page/'))
  const sources = installed.filter((file) => file.endsWith('.ts')).map((file) => read(`src/${file}`))
  const loaded = sources.flatMap((text) => [
    ...text.matchAll(/^(?:import|export) (?!type )(?:[^'";]*? from )?'([^'.][^']*)'/gms),
    ...text.matchAll(/\b(?:import|require\.resolve|import\.meta\.resolve)\('([^'.][^']*)'\)/g),
  ])
  const packages = new Set(loaded.flatMap(([, name = '']) => (isBuiltin(name) ? [] : [packageOf(name)])))
  expect(packages.size).toBeGreaterThan(15)
  expect([...packages].filter((name) => !Object.hasOwn(dependencies, name))).toEqual([])
})

it('may not run scripts of packages while it is installed', () => {
  const { packages } = z
    .object({ packages: z.record(z.string(), z.object({ hasInstallScript: z.boolean().optional() })) })
    .parse(JSON.parse(read('package-lock.json')))
  const withScripts = Object.entries(packages).flatMap(([path, { hasInstallScript }]) =>
    hasInstallScript ? [path.replace(/^.*node_modules\//, '')] : [],
  )
  expect(Object.keys(allowScripts)).toEqual([...new Set(withScripts)].toSorted())
})
