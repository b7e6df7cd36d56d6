// Completes both lock files, of the package and of the site, after `npm install`. npm omits packages for other platforms
// if the registry lacks them, and `npm ci` then rejects the whole lock. Their versions are exact in the packages that
// need them, and their names contain the platform.
import { readFileSync, writeFileSync } from 'node:fs'

for (const path of ['../package-lock.json', '../site/package-lock.json']) complete(new URL(path, import.meta.url))

function complete(place) {
  const lock = JSON.parse(readFileSync(place, 'utf8'))
  for (const { optionalDependencies = {}, dev } of Object.values(lock.packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      lock.packages[`node_modules/${name}`] ??= { version, ...platform(name), ...(dev && { dev }), optional: true }
    }
  }
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en')))
  writeFileSync(place, `${JSON.stringify(lock, null, 2)}\n`)
}

function platform(name) {
  const words = name.replace('gnueabihf', 'gnu').replace('musleabihf', 'musl').split(/[-/]/)
  const among = (...known) => words.filter(word => known.includes(word))
  const os = among('android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32')
  const cpu = among('arm', 'arm64', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64')
  const libc = os.includes('linux') ? among('gnu', 'musl').map(word => (word === 'gnu' ? 'glibc' : word)) : []
  if (cpu.length === 0) throw new Error(`cannot tell the platform of ${name}`)
  return { cpu, ...(os.length > 0 && { os }), ...(libc.length > 0 && { libc }) }
}
