import { readFile } from 'node:fs/promises'
import { CommandFailure } from '../command-failure.js'
import { toReadFailure } from './file-failures.js'

/** Reads a JSON file of the user. */
export async function readJsonFile(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw toReadFailure(path, error)
  })
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new CommandFailure(`${path}: the file is not valid JSON (${(error as Error).message}); correct the file.`)
  }
}
