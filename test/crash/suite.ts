import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { disk } from '../../src/engine/index.js'
import { builtProgram } from '../engine/disk/programs/build-program.js'
import { temporaryFolder } from '../engine/disk/temporary-folder.js'
import { checkAfterCrash } from './check-history.js'
import { History } from './history.js'

const KILLED_AFTER_MS_MAX = 300
const DIES_AFTER_MAX = 300
const NEVER = 0
/** The lag of global indexes while they are written. During the check they have no lag. */
const LAGS_MS = [0, 100, 60_000]
/**
 * The number of crashes before a new folder is used, because each check reads everything that was ever written to a
 * folder.
 */
const CRASHES_OF_A_FOLDER = 10

/** Kills a writing process repeatedly and checks the folder after each kill. */
export function crashes(times: number): void {
  for (const sync of [false, true]) {
    const kills = Math.ceil(times / 2)
    it(`acknowledged writes survive ${kills} kills completely and exactly once, with sync ${sync}`, async () => {
      const program = await builtProgram(new URL('writer.ts', import.meta.url))
      for (let killed = 0; killed < kills; killed += CRASHES_OF_A_FOLDER)
        await crashFolder(program, sync, Math.min(CRASHES_OF_A_FOLDER, kills - killed))
    })
  }
}

async function crashFolder(program: string, sync: boolean, kills: number): Promise<void> {
  const folder = temporaryFolder()
  const path = join(folder, 'store')
  const historyFile = join(folder, 'history')
  let acknowledged = 0
  for (let round = 0; round < kills; round++) {
    const seed = Math.floor(Math.random() * 2 ** 32)
    const diesAfter = round % 2 === 0 ? 1 + Math.floor(Math.random() * DIES_AFTER_MAX) : NEVER
    const words = [path, historyFile, sync, seed, diesAfter, LAGS_MS[round % LAGS_MS.length]].map(String)
    await writeUntilKilled(program, words, diesAfter === NEVER)
    const store = disk(path)
    const known = await checkAfterCrash(store, new History(historyFile))
    await store.close()
    expect(known).toBeGreaterThan(acknowledged)
    acknowledged = known
  }
}

/** Kills the writer at a random time after it began to write, or lets it kill itself. */
async function writeUntilKilled(program: string, words: string[], kills: boolean): Promise<void> {
  const child = spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', text => {
    errors += text
  })
  const ended = once(child, 'exit')
  await Promise.race([once(child.stdout, 'data'), ended])
  if (kills) {
    await sleep(Math.random() * KILLED_AFTER_MS_MAX)
    child.kill('SIGKILL')
  }
  const [code, signal] = await ended
  expect({ code, signal, errors }).toEqual({ code: null, signal: 'SIGKILL', errors: '' })
}
