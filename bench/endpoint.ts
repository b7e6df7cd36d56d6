import { Bars } from './bars.js'
import { type Costs, measured } from './endpoint-cost.js'
import { measureGrowth } from './endpoint-growth.js'
import { load, workloads } from './endpoint-load.js'
import { DYNOXIDE, OURS, PEERS } from './endpoint-peers.js'
import { ServerProcess } from './endpoint-process.js'
import { measuredBySdk } from './endpoint-sdk.js'
import { NODE, startTimes } from './endpoint-start.js'
import { table, writePage } from './endpoint-table.js'

const ITEMS = 10_000
const CONCURRENCIES = [1, 16]
/** The tolerance for noise, as a factor of each limit. */
const NOISE = 1.25
/** The limits as shares of dynoxide's processor time. */
const BARS: Record<string, number> = {
  GetItem: 1,
  PutItem: 1,
  'UpdateItem ADD': 1,
  'TransactWriteItems of 3': 1,
  'BatchWriteItem of 25': 1,
  'Query of 50': 0.5,
  'Query of 50 on the GSI': 0.5,
  'BatchGetItem of 100': 0.5,
}
/** Milliseconds in addition to Node alone. */
const START_MS = 100

const servers = await startedServers()
for (const server of servers.values()) await load(server.url, ITEMS)
const costs = new Map<string, Map<number, Costs>>()
for (const [label, make] of Object.entries(workloads(ITEMS))) {
  costs.set(label, new Map())
  for (const concurrency of CONCURRENCIES)
    costs.get(label)!.set(concurrency, await measured(servers, make, concurrency))
}
const memory = new Map(Array.from(servers, ([name, server]) => [name, server.memoryBytes()]))
const bySdk = await measuredBySdk(servers)
for (const server of servers.values()) await server.stop()
const starts = await startTimes([...servers.keys()])

const rows = new Map([...costs, ["GetItem by the AWS SDK's client, one at a time", new Map([[1, bySdk]])]])
const text = table({ servers: [...servers.keys()], costs: rows, memory, starts, items: ITEMS })
console.log(`\n${text}\n`)
if (process.argv.includes('--page')) writePage(text)
checkBars()
if (process.argv.includes('--growth')) await measureGrowth(costs)

async function startedServers(): Promise<Map<string, ServerProcess>> {
  const running = new Map<string, ServerProcess>()
  for (const peer of PEERS)
    try {
      running.set(peer.name, await ServerProcess.start(peer.get()))
    } catch (error) {
      if (peer.name === OURS) throw error
      console.log(`${peer.name} is left out: it cannot be had here (${String(error).split('\n')[0]})`)
    }
  return running
}

function checkBars(): void {
  const bars = new Bars()
  for (const [label, byConcurrency] of costs)
    for (const [concurrency, byServer] of byConcurrency) {
      const [ours, theirs] = [byServer.get(OURS)!.cpuMicroseconds, byServer.get(DYNOXIDE)?.cpuMicroseconds]
      if (theirs === undefined) continue
      const detail = `${ours.toFixed(0)} µs to ${theirs.toFixed(0)} µs`
      bars.atMost(`${label}, ${concurrency} at once, to ${DYNOXIDE}`, ours / theirs, BARS[label]! * NOISE, detail)
    }
  bars.atMost('to the first answer, over Node alone, ms', starts.get(OURS)! - starts.get(NODE)!, START_MS)
  bars.close()
}
