import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

// Peers are kept out of the project's own install: they are installed beside the benchmarks when one is run.
const home = new URL('../../bench/', import.meta.url)
const load = createRequire(new URL('package.json', home))

/** A peer by its package's name, or undefined, with a line that says so, where it cannot be had here. */
export async function peer<T>(name: string, version: string): Promise<T | undefined> {
  try {
    return load(name) as T
  } catch {
    console.log(`installing ${name}@${version} …`)
  }
  const { status } = spawnSync('npm', ['install', '--no-save', '--silent', '--no-audit', `${name}@${version}`], {
    cwd: fileURLToPath(home),
  })
  try {
    if (status === 0) return load(name) as T
  } catch (error) {
    console.log(String(error))
  }
  console.log(`${name} cannot be had here: left out`)
  return undefined
}
