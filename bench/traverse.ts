import { Bars } from './bars.js'
import * as embedded from './graph-embedded.js'
import { compare, median, nanoseconds } from './measure.js'
import { hops, peerHops } from './traverse-hops.js'
import { mixes } from './traverse-mixes.js'
import { searches } from './traverse-paths.js'

const ROUNDS = 15
const REPETITIONS = 40

const bars = new Bars()
const millis = (nanos: number) => `${(nanos / 1e6).toFixed(2)} ms`

/** Returns the minimum of several rounds, because other load on the machine only adds time. */
async function best(work: (index: number) => unknown): Promise<number> {
  const rounds: number[] = []
  for (let round = 0; round < ROUNDS; round++) rounds.push(await nanoseconds(work, REPETITIONS))
  return Math.min(...rounds)
}

async function twoHops(): Promise<void> {
  console.log(`two hops over ${embedded.DEGREE} × ${embedded.DEGREE} edges, in the process, typed\n`)
  const own = await hops()
  bars.atMost('two hops, in milliseconds', (await best(own.twoHops)) / 1e6, 0.5)
  bars.report('people you may know, ranked', millis(await best(own.rank)))
  const peers = [await embedded.sqlite(), await embedded.graphology(), await embedded.ladybug()]
  for (const { name, twoHops: theirs } of peerHops(peers)) {
    const { subject, floor, ratio } = await compare(own.twoHops, theirs, name === 'ladybug' ? 5 : REPETITIONS)
    bars.report(`two hops, in ${name}'s`, `${ratio.toFixed(2)}  ${millis(subject)} to ${millis(floor)}`)
  }
  const { sent, twoWaves, all } = await own.firstRow()
  bars.atMost('three hops: requests before the first row', sent, twoWaves - 1, `of ${all}, ${twoWaves} in two waves`)
}

async function paths(): Promise<void> {
  const figures = await searches()
  console.log(`\nshortest paths over ${figures.edges.toLocaleString('en')} edges\n`)
  const { requests } = figures
  bars.atMost('requests of a search, median', median(requests), 20, `at most ${Math.max(...requests)}`)
  bars.report('a search, median', `${median(figures.millis).toFixed(2)} ms, ${median(figures.lengths)} edges long`)
  for (const [name, theirs, isSame] of figures.peers)
    bars.report(`${name}, median`, `${median(theirs).toFixed(2)} ms${isSame ? '' : ', OTHER LENGTHS'}`)
}

async function operations(): Promise<void> {
  console.log('\nthe mixes of operations of LinkBench and of TAO, through the handle\n')
  const figures = await mixes()
  const [first] = figures
  const names = [...new Set(figures.flatMap(({ prices }) => [...prices.keys()]))]
  console.table(
    Object.fromEntries(
      names.map(name => {
        const price = figures.find(({ store, prices }) => store === first!.store && prices.has(name))!.prices.get(name)!
        return [name, { requests: price.requests.toFixed(2), units: price.units.toFixed(2) }]
      }),
    ),
  )
  for (const { store, mix, perSecond } of figures) {
    const floor = figures.find(each => each.mix === mix)!.perSecond
    const ratio = (perSecond / floor).toFixed(2)
    bars.report(`${mix} on ${store}, in that on memory`, `${ratio}  ${Math.round(perSecond)} operations a second`)
  }
}

await twoHops()
await operations()
await paths()
bars.close()
