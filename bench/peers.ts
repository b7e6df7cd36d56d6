import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

// Peers are not part of the project's install. The first benchmark run installs them in the folder of the benchmarks.
const home = new URL('../../bench/', import.meta.url)
const load = createRequire(new URL('package.json', home))
let isInstalled = false

/**
 * A peer by its package's name, or undefined, with a line that says so, where it cannot be had here. `attempt`: what
 * fails where it was installed without its native part, which some load only when they are used.
 */
export async function peer<T>(name: string, attempt?: (loaded: T) => unknown): Promise<T | undefined> {
  // Node caches failed lookups, so nothing is loaded before the installation.
  if (!existsSync(new URL(`node_modules/${name}`, home))) install()
  try {
    const loaded = load(name) as T
    attempt?.(loaded)
    return loaded
  } catch (error) {
    console.log(`${name} cannot be had here, and is left out: ${String(error).split('\n')[0]}`)
    return undefined
  }
}

function install(): void {
  if (isInstalled) return
  isInstalled = true
  console.log('installing the peers …')
  spawnSync('npm', ['install', '--no-package-lock', '--silent', '--no-audit'], { cwd: fileURLToPath(home) })
}
