import { spawnSync } from 'node:child_process'
import { ROUNDS } from './endpoint-cost.js'
import { PEERS } from './endpoint-peers.js'
import { ServerProcess } from './endpoint-process.js'

/** Node with an empty program. */
export const NODE = 'node -e 0'

/**
 * Milliseconds from the start of each server to its first response, and of Node alone to its exit. The processes run in
 * turn and the minimum of each counts, because other load on the machine can only add time.
 */
export async function startTimes(names: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const times = new Map<string, number>()
  const count = (name: string, ms: number) => times.set(name, Math.min(ms, times.get(name) ?? Number.POSITIVE_INFINITY))
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now()
    spawnSync(process.execPath, ['-e', '0'])
    count(NODE, performance.now() - start)
    for (const peer of PEERS.filter(({ name }) => names.includes(name))) {
      const server = await ServerProcess.start(peer.get())
      count(peer.name, server.startMs)
      await server.stop()
    }
  }
  return times
}
