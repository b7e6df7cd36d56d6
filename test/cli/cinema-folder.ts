import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import { memory } from '../../src/engine/memory.js'
import { serve } from '../../src/http/index.js'
import type { Store } from '../../src/index.js'
import { temporaryFolder } from '../engine/disk/temporary-folder.js'
import { builtCommand, type Ended, Running } from './command.js'

/** A graph with a counter, so that duplicate writes are visible. */
export const CINEMA = `
import { counter, edge, graph, integer, node, string } from 'edgewise'
const movie = node('movie', { name: string(), year: integer(), cast: counter() }, { id: 'name' })
const actor = node('actor', { name: string() }, { id: 'name' })
const role = edge('role', { movie, actor }, { character: string() }, { count: { movie: 'cast' } })
export default graph('cinema', [movie, actor, role])
`

const started: Running[] = []
const closing: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const { process, ended } of started.splice(0)) {
    process.kill('SIGKILL')
    await ended
  }
  for (const close of closing.splice(0)) await close()
})

/** Runs commands like a user, in a folder with these files. */
export async function commands() {
  const file = await builtCommand()
  const begin = (words: readonly string[], environment: Record<string, string> = {}): Running => {
    const running = new Running(file, words, { NODE_NO_WARNINGS: '1', ...environment })
    started.push(running)
    return running
  }
  const run = (words: readonly string[], environment?: Record<string, string>): Promise<Ended> =>
    begin(words, environment).ended
  return { begin, run, file }
}

export function folderWith(files: Readonly<Record<string, string | Uint8Array>>): (name: string) => string {
  const folder = temporaryFolder()
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return name => join(folder, name)
}

/** An endpoint in front of an in-memory store or a given store. */
export async function endpoint(store: Store = memory()): Promise<{ url: string; store: Store }> {
  const { url, close } = await serve(store as ReturnType<typeof memory>, { port: 0 })
  closing.push(close)
  return { url, store }
}
