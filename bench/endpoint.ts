import { Bars } from './bars.js'
import { type Call, Client, load, workloads } from './endpoint-load.js'
import { DYNOXIDE, OURS, PEERS } from './endpoint-peers.js'
import { ServerProcess } from './endpoint-process.js'
import { table, writeReadme } from './endpoint-table.js'
import { median } from './measure.js'

const ITEMS = 10_000
const ROUNDS = 5
const ROUND_MS = process.argv.includes('--quick') ? 200 : 800
const CONCURRENCIES = [1, 16]
/** Of the processor time of dynoxide: the bars, and what chance may add to them. */
const NOISE = 1.25
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

/** What one operation costs: of the server's processors, and in a second. */
export interface Cost {
  readonly cpuMicroseconds: number
  readonly perSecond: number
}

/** By operation and concurrency, then by server; a server that lacks the operation is absent. */
type Costs = Map<string, Map<string, Cost>>
type Make = () => Call

const servers = await started()
for (const server of servers.values()) await load(server.url, ITEMS)
const costs: Costs = new Map()
for (const [label, make] of Object.entries(workloads(ITEMS)))
  for (const concurrency of CONCURRENCIES)
    costs.set(`${label}, ${concurrency} at once`, await measured(make, concurrency))

const memory = new Map(Array.from(servers, ([name, server]) => [name, server.memoryBytes()]))
const starts = await startTimes()
for (const server of servers.values()) await server.stop()

const text = table([...servers.keys()], costs, memory, starts, ITEMS)
console.log(`\n${text}\n`)
if (process.argv.includes('--readme')) writeReadme(text)
checkBars()

async function started(): Promise<Map<string, ServerProcess>> {
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

/** Medians of rounds that take turns, so that all meet the same noise. */
async function measured(make: Make, concurrency: number): Promise<Map<string, Cost>> {
  const rounds = new Map<string, Cost[]>()
  for (const [name, server] of servers) if (await knows(server, make)) rounds.set(name, [])
  for (let round = 0; round <= ROUNDS; round++)
    for (const [name, list] of rounds) {
      const cost = await costOf(servers.get(name)!, make, concurrency)
      // The first one warms up.
      if (round > 0) list.push(cost)
    }
  return new Map(
    Array.from(rounds, ([name, list]) => [
      name,
      {
        cpuMicroseconds: median(list.map(cost => cost.cpuMicroseconds)),
        perSecond: median(list.map(cost => cost.perSecond)),
      },
    ]),
  )
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

async function costOf(server: ServerProcess, make: Make, concurrency: number): Promise<Cost> {
  const client = new Client(server.url, concurrency)
  const cpuBefore = server.cpuMs()
  const start = performance.now()
  let operations = 0
  const worker = async () => {
    while (performance.now() - start < ROUND_MS) {
      await client.send(make())
      operations++
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  const elapsedMs = performance.now() - start
  const cpuMs = server.cpuMs() - cpuBefore
  await client.close()
  return { cpuMicroseconds: (cpuMs * 1000) / operations, perSecond: (operations * 1000) / elapsedMs }
}

/** Milliseconds to the first answer, and of Node alone to its end. */
async function startTimes(): Promise<Map<string, number>> {
  const times = new Map<string, number>()
  for (const peer of PEERS.filter(({ name }) => servers.has(name))) {
    const list: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const server = await ServerProcess.start(peer.get())
      list.push(server.startMs)
      await server.stop()
    }
    times.set(peer.name, median(list))
  }
  return times
}

function checkBars(): void {
  const bars = new Bars()
  for (const [label, byServer] of costs) {
    const [ours, theirs] = [byServer.get(OURS)!, byServer.get(DYNOXIDE)]
    if (theirs === undefined) continue
    const bar = BARS[label.replace(/, \d+ at once$/, '')]! * NOISE
    const detail = `${ours.cpuMicroseconds.toFixed(0)} µs to ${theirs.cpuMicroseconds.toFixed(0)} µs`
    bars.atMost(`${label}, in ${DYNOXIDE}'s CPU`, ours.cpuMicroseconds / theirs.cpuMicroseconds, bar, detail)
  }
  bars.close()
}
