import { Socket } from 'node:net'

/** This machine, and the names that no machine has. */
const allowed = /^(127\.0\.0\.1|0\.0\.0\.0|localhost|::1?)$|\.invalid$/
const { connect } = Socket.prototype

/** The host that a socket connects to; undefined for the path of a socket file. */
function hostOf([first, second]: unknown[]): unknown {
  // `net.connect` passes its arguments on as one list.
  const target: unknown = Array.isArray(first) ? first[0] : first
  if (typeof target === 'object' && target !== null) {
    if ('path' in target && target.path) return undefined
    return ('host' in target && target.host) || 'localhost'
  }
  if (Number.isNaN(Number(target))) return undefined
  return typeof second === 'string' ? second : 'localhost'
}

function connectLocally(this: Socket, ...args: unknown[]): Socket {
  const host = hostOf(args)
  if (host === undefined || allowed.test(String(host))) return Reflect.apply(connect, this, args)
  // It fails as a real connection does: later, when somebody listens for it.
  Object.assign(this, { connecting: true })
  setImmediate(() => this.destroy(new Error(`A test may not connect to ${host}.`)))
  return this
}

// Each test file of a worker runs this again.
if (connect.name !== connectLocally.name) Socket.prototype.connect = connectLocally as typeof connect
