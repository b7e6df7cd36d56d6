import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findOwnFile } from '../../store/own-file.js'

const PROGRAM = 'spark/edgewise_batch.py'

/** The path of the program that interprets plans. It is next to the compiled code, or above it in a build of the sources. */
export function programPath(): string {
  const file = findOwnFile() ?? process.cwd()
  let folder = dirname(file.startsWith('file:') ? fileURLToPath(file) : file)
  while (!existsSync(join(folder, PROGRAM)) && dirname(folder) !== folder) folder = dirname(folder)
  return join(folder, PROGRAM)
}
