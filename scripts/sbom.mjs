// Prints the SBOM of the service: node scripts/sbom.mjs > headsup.cdx.json
import { fileURLToPath } from 'node:url'
import { makeSbom } from './release/sbom.mjs'

process.stdout.write(makeSbom(fileURLToPath(new URL('..', import.meta.url))))
