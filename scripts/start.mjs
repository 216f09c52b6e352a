// `npm start`: builds what is not built, or older than its source, and runs it in this very process, so that signals
// reach it.
import { buildProgram } from './build.mjs'

buildProgram()
await import('../dist/main.js')
