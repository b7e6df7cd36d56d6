import { type Call, Client } from './endpoint-load.js'
import type { ServerProcess } from './endpoint-process.js'
import { median } from './measure.js'

export const ROUNDS = 5
const ROUND_MS = process.argv.includes('--quick') ? 200 : 800

/** The cost of one operation: processor time of the server, and operations per second. */
export interface Cost {
  readonly cpuMicroseconds: number
  readonly perSecond: number
}

export type Servers = ReadonlyMap<string, ServerProcess>
export type Make = () => Call
/** Costs by server. Servers that lack the operation are absent. */
export type Costs = ReadonlyMap<string, Cost>

/** Sends requests sequentially. */
type Send = () => Promise<unknown>

/** Returns the medians of alternating rounds, so that all servers have the same noise. */
export async function measured(servers: Servers, make: Make, concurrency: number): Promise<Costs> {
  const rounds = new Map<string, Cost[]>()
  for (const [name, server] of servers) if (await knows(server, make)) rounds.set(name, [])
  for (let round = 0; round <= ROUNDS; round++)
    for (const [name, list] of rounds) {
      const server = servers.get(name)!
      const client = new Client(server.url, concurrency)
      const cost = await costOf(server, () => client.send(make()), concurrency)
      await client.close()
      // The first round warms up.
      if (round > 0) list.push(cost)
    }
  return new Map(Array.from(rounds, ([name, list]) => [name, medianCost(list)]))
}

async function knows(server: ServerProcess, make: Make): Promise<boolean> {
  const client = new Client(server.url, 1)
  const known = await client.send(make()).then(
    () => true,
    error => !String(error).includes('UnknownOperationException'),
  )
  await client.close()
  return known
}

/** Measures a round of fixed duration with the given number of concurrent requests. */
export async function costOf(server: ServerProcess, send: Send, concurrency: number): Promise<Cost> {
  const cpuBefore = server.cpuMs()
  const start = performance.now()
  let operations = 0
  const worker = async () => {
    while (performance.now() - start < ROUND_MS) {
      await send()
      operations++
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  const elapsedMs = performance.now() - start
  const cpuMs = server.cpuMs() - cpuBefore
  return { cpuMicroseconds: (cpuMs * 1000) / operations, perSecond: (operations * 1000) / elapsedMs }
}

export function medianCost(costs: readonly Cost[]): Cost {
  return {
    cpuMicroseconds: median(costs.map(cost => cost.cpuMicroseconds)),
    perSecond: median(costs.map(cost => cost.perSecond)),
  }
}
