import { Bars } from './bars.js'
import * as embedded from './graph-embedded.js'
import { startTimes, weights } from './graph-start.js'
import * as toolkits from './graph-toolkits.js'
import { compare, nanoseconds, type Work } from './measure.js'

const QUERIES = 1_000
const PARAMETERS = 20_000
const READS = 2_000
const HOPS = 60

const bars = new Bars()
const micros = (nanos: number) => `${(nanos / 1000).toFixed(1)} µs`

async function overClients(): Promise<void> {
  console.log(`a query of ${toolkits.EDGES} typed edges of eight attributes, over an SDK client with a canned answer\n`)
  const [alone, own] = [await toolkits.documentClient(), await toolkits.ours()]
  const peers = [await toolkits.electrodb(), await toolkits.onetable(), await toolkits.toolbox()]
  for (const kit of [own, ...peers]) {
    if (!kit) continue
    const { subject, floor, ratio } = await compare(kit.query, alone.query, QUERIES)
    const detail = `${micros(subject)} to ${micros(floor)}`
    if (kit === own) bars.atMost(`${kit.name}, in the document client alone`, ratio, 1.15, detail)
    else bars.report(`${kit.name}, in the document client alone`, ratio.toFixed(2))
  }
  let best: Work | undefined
  let quickest = Number.POSITIVE_INFINITY
  for (const kit of peers) {
    if (!kit) continue
    await nanoseconds(kit.parameters, PARAMETERS / 10)
    const figure = await nanoseconds(kit.parameters, PARAMETERS / 10)
    bars.report(`${kit.name}, the parameters of a request`, micros(figure))
    if (figure < quickest) [best, quickest] = [kit.parameters, figure]
  }
  if (!best) return
  const { subject, floor, ratio } = await compare(own.parameters, best, PARAMETERS)
  bars.atMost('edgewise, the parameters, in the quickest peer', ratio, 0.7, `${micros(subject)} to ${micros(floor)}`)
}

async function inProcess(): Promise<void> {
  console.log(`\nin the process, on memory: people who follow ${embedded.DEGREE} others\n`)
  const own = await embedded.ours()
  const peers = [await embedded.sqlite(), await embedded.graphology(), await embedded.ladybug()]
  const rows = [
    ['neighbours', READS],
    ['twoHops', HOPS],
    ['get', READS],
    ['put', READS],
  ] as const
  for (const [verb, repetitions] of rows)
    for (const other of peers) {
      if (!other) continue
      const slow = other.name === 'ladybug' ? Math.max(5, Math.floor(repetitions / 20)) : repetitions
      const { subject, floor, ratio } = await compare(own[verb], other[verb], slow)
      const label = `${verb}, in ${other.name}'s`
      const detail = `${micros(subject)} to ${micros(floor)}`
      const isBar = other.name === 'better-sqlite3' && (verb === 'neighbours' || verb === 'twoHops')
      if (isBar) bars.atMost(label, ratio, 1 / 1.5, detail)
      else bars.report(label, `${ratio.toFixed(2)}  ${detail}`)
    }
}

async function fromStart(): Promise<void> {
  console.log('\nfrom the start of the process to the parameters of the first request, bundled\n')
  for (const [name, millis] of await startTimes()) bars.report(name, `${millis.toFixed(1)} ms`)
}

async function bundled(): Promise<void> {
  console.log('\nall of it, bundled, minified and gzipped, without the SDK\n')
  for (const [name, kilobytes] of await weights()) bars.report(name, `${kilobytes.toFixed(1)} kB`)
}

await overClients()
await inProcess()
await fromStart()
await bundled()
bars.close()
