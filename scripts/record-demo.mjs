// Plays the demo, and draws docs/demo.svg of its first answers.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const options = { cwd: root, encoding: 'utf8', maxBuffer: 10_000_000 }
const output = execFileSync(process.execPath, ['scripts/demo.mjs', '--script'], options)
const { recordingOf, svgOf } = await import('../dist/demo/scripts/demo/recording.js')
writeFileSync(new URL('../docs/demo.svg', import.meta.url), svgOf(recordingOf(output)))
