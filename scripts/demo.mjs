// `npm run demo`: builds what is missing or older than its source, and runs the story of scripts/demo in this process, so
// that signals reach it.
import './check-node.mjs'
import { build, buildProgram } from './build.mjs'
import { endWithNpm } from './npm-ended.mjs'

buildProgram()
build(
  'dist/demo/scripts/demo/main.js',
  ['scripts/demo', 'test/support/github', 'bench', 'src', 'tsconfig.demo.json'],
  ['npx', '--no-install', 'tsc', '-p', 'tsconfig.demo.json'],
)
endWithNpm()
await import('../dist/demo/scripts/demo/main.js')
