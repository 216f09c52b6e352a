// `npm run setup`: builds what is missing or older than its source, and serves the set-up page of src/setup.
import './check-node.mjs'
import { buildProgram } from './build.mjs'
import { endWithNpm } from './npm-ended.mjs'

buildProgram()
endWithNpm()
await import('../dist/setup/main.js')
