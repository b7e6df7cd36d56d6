import { spawnSync } from 'node:child_process'
import { ROUNDS } from './endpoint-cost.js'
import { PEERS } from './endpoint-peers.js'
import { ServerProcess } from './endpoint-process.js'
import { median } from './measure.js'

/** Milliseconds from the start of each server to its first answer. */
export async function startTimes(names: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const times = new Map<string, number>()
  for (const peer of PEERS.filter(({ name }) => names.includes(name))) {
    const rounds: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const server = await ServerProcess.start(peer.get())
      rounds.push(server.startMs)
      await server.stop()
    }
    times.set(peer.name, median(rounds))
  }
  return times
}

/** Milliseconds that Node takes to do nothing. */
export function nodeTime(): number {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const start = performance.now()
    spawnSync(process.execPath, ['-e', '0'])
    return performance.now() - start
  })
  return median(rounds)
}
