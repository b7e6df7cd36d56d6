import { type Costs, measured, type Servers } from './endpoint-cost.js'
import { load, workloads } from './endpoint-load.js'
import { DYNOXIDE, OURS, PEERS } from './endpoint-peers.js'
import { ServerProcess } from './endpoint-process.js'

const LARGE = 1_000_000
const CONCURRENCY = 16
const GROWING = ['GetItem', 'PutItem', 'Query of 50', 'Query of 50 on the GSI']

/** Repeats the measurement with a million items, on the servers that load them in reasonable time. */
export async function measureGrowth(small: ReadonlyMap<string, ReadonlyMap<number, Costs>>): Promise<void> {
  const servers = await loadedServers()
  const loads = workloads(LARGE)
  console.log(`\nat ${LARGE.toLocaleString('en')} items, ${CONCURRENCY} at once`)
  for (const label of GROWING) {
    const costs = await measured(servers, loads[label]!, CONCURRENCY)
    for (const [name, { cpuMicroseconds }] of costs) {
      const before = small.get(label)!.get(CONCURRENCY)!.get(name)!.cpuMicroseconds
      const growth = (cpuMicroseconds / before).toFixed(1)
      console.log(`${label.padEnd(24)} ${name.padEnd(10)} ${cpuMicroseconds.toFixed(0)} µs, ${growth} times as much`)
    }
  }
  for (const [name, server] of servers) {
    console.log(`${name.padEnd(10)} ${(server.memoryBytes() / 1e6).toFixed(0)} MB`)
    await server.stop()
  }
}

async function loadedServers(): Promise<Servers> {
  const servers = new Map<string, ServerProcess>()
  for (const peer of PEERS.filter(({ name }) => name === OURS || name === DYNOXIDE)) {
    const server = await ServerProcess.start(peer.get()).catch(() => undefined)
    if (server === undefined) continue
    const start = performance.now()
    await load(server.url, LARGE)
    console.log(`${peer.name} took ${LARGE} items in ${((performance.now() - start) / 1000).toFixed(0)} s`)
    servers.set(peer.name, server)
  }
  return servers
}
