import { spawn } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readlinkSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

/** What the base image brings, taken from this machine. */
const base = ['usr', 'bin', 'sbin', 'lib', 'lib32', 'lib64', 'etc', 'dev', 'proc']

/**
 * A fresh root directory with the programs of this machine in place of the base image's.
 * @param {string} path
 */
export function makeRoot(path) {
  for (const name of ['tmp', 'root', 'app']) mkdirSync(join(path, name), { recursive: true })
  for (const name of base.filter((one) => existsSync(`/${one}`))) {
    if (lstatSync(`/${name}`).isSymbolicLink()) symlinkSync(readlinkSync(`/${name}`), join(path, name))
    else mkdirSync(join(path, name))
  }
}

/**
 * Runs a program within the root. As `node`: another user, without capabilities, on a read-only file system.
 * @param {string} root
 * @param {string[]} words
 * @param {{ workdir: string, env: Record<string, string>, user: string }} options
 */
export function runIn(root, words, { workdir, env, user }) {
  const mounts = base
    .filter((name) => existsSync(`/${name}`) && !lstatSync(`/${name}`).isSymbolicLink())
    .map(
      (name) =>
        `mount --rbind /${name} "$ROOT/${name}" && mount -o remount,bind,ro "$ROOT/${name}" 2>/dev/null || true`,
    )
  const isRoot = user === 'root'
  const readOnly = isRoot ? [] : ['mount -o remount,bind,ro "$ROOT"']
  const drop = isRoot
    ? ''
    : 'setpriv --reuid=1000 --regid=1000 --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all'
  const script = [
    'mount --make-rprivate /',
    'mount --bind "$ROOT" "$ROOT"',
    ...mounts,
    ...readOnly,
    `exec chroot "$ROOT" ${drop} sh -c 'cd "$WORKDIR" && exec "$@"' sh "$@"`,
  ].join('\n')
  const child = spawn('unshare', ['--mount', 'sh', '-ec', script, 'sh', ...words], {
    stdio: 'inherit',
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
      HOME: isRoot ? '/root' : '/nonexistent',
      ...env,
      ROOT: root,
      WORKDIR: workdir,
    },
  })
  const ended = new Promise((resolve) => child.once('close', (code, signal) => resolve(code ?? signal)))
  return { child, ended }
}
