import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PROGRAM = 'spark/edgewise_batch.py'

/** The path of the program that interprets plans. It is next to the compiled code, or above it in a build of the sources. */
export function programPath(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, PROGRAM)) && dirname(folder) !== folder) folder = dirname(folder)
  return join(folder, PROGRAM)
}
