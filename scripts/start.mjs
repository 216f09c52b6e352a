// `npm start`: builds what is missing or older than its source, and runs it in this process, so that signals reach it.
import './check-node.mjs'
import { buildProgram } from './build.mjs'
import { endWithNpm } from './npm-ended.mjs'

buildProgram()
endWithNpm()
await import('../dist/service/main.js')
