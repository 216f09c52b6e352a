import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'

const dist = fileURLToPath(new URL('../../dist', import.meta.url))

/** Modules of `dist` find files of the repository by their own URL, so they keep it. */
const keepUrls: Plugin = {
  name: 'keep-urls',
  setup({ onLoad }) {
    onLoad({ filter: /\.js$/ }, async ({ path }) => {
      if (!path.startsWith(dist + sep)) return undefined
      const url = JSON.stringify(pathToFileURL(path).href)
      return { contents: (await readFile(path, 'utf8')).replaceAll('import.meta.url', url), loader: 'js' }
    })
  },
}

export interface BundledPrograms {
  service: string
  setup: string
}

/**
 * Bundles each built program with its dependencies into one file: a start reads one file instead of a thousand, and takes half the
 * processor time. Does nothing where they are not built.
 */
export async function bundlePrograms(directory: string): Promise<BundledPrograms | undefined> {
  if (!existsSync(join(dist, 'service/main.js'))) return undefined
  const [service, setup] = [join(directory, 'service.mjs'), join(directory, 'setup.mjs')]
  await build({
    entryPoints: { service: join(dist, 'service/main.js'), setup: join(dist, 'setup/main.js') },
    outdir: directory,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
    banner: {
      js: "import { createRequire as createRequireOfBundle } from 'node:module'\nconst require = createRequireOfBundle(import.meta.url)",
    },
    plugins: [keepUrls],
  })
  return { service, setup }
}
