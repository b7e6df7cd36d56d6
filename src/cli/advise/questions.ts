import type { DeclaredEdge, DeclaredGraph } from '../../schema/declared.js'
import type { Asking } from '../asking.js'
import {
  EDGE_DEFAULTS,
  type EdgeFacts,
  type EndFacts,
  endDefaults,
  type Facts,
  type Shows,
  TRAVERSALS,
  TYPICAL,
} from './facts.js'

/** Asks for all that the advice rests on; an empty answer takes what stands in brackets. */
export async function askFacts(graph: DeclaredGraph, asking: Asking): Promise<Facts> {
  const edges: Record<string, EdgeFacts> = {}
  for (const edge of graph.edges) edges[edge.name] = await askEdge(edge, asking)
  const hops = await number(asking, 'How many hops has your longest traversal?', TRAVERSALS.hops)
  const perSecond = hops > 1 ? await number(asking, 'How many such traversals a second?', 1) : TRAVERSALS.perSecond
  return { edges, traversals: { hops, perSecond } }
}

async function askEdge(edge: DeclaredEdge, asking: Asking): Promise<EdgeFacts> {
  const { name, ends } = edge
  const total = await number(asking, `How many ${name} edges are there?`, EDGE_DEFAULTS.total)
  const facts = {
    total,
    bytes: await number(asking, `How many bytes has one ${name}, without its ends?`, EDGE_DEFAULTS.bytes),
    writesPerSecond: await number(asking, `How many ${name} are added a second?`, EDGE_DEFAULTS.writesPerSecond),
    updatesPerSecond: await number(asking, 'How many are changed a second?', EDGE_DEFAULTS.updatesPerSecond),
    deletesPerSecond: await number(asking, 'How many are deleted a second?', EDGE_DEFAULTS.deletesPerSecond),
  }
  const [first, second] = ends
  return {
    ...facts,
    ends: {
      [first.name]: await askEnd(name, first.name, second.name, total, asking),
      [second.name]: await askEnd(name, second.name, first.name, total, asking),
    },
  }
}

async function askEnd(edge: string, end: string, other: string, total: number, asking: Asking): Promise<EndFacts> {
  const typical = await number(asking, `How many ${edge} has one ${end}, typically?`, TYPICAL)
  const defaults = endDefaults(typical, total)
  const most = Math.max(typical, await number(asking, 'And at most?', defaults.most))
  const readsPerSecond = await number(asking, `How often a second are they read from ${end}?`, defaults.readsPerSecond)
  const hottest = Math.min(1, most / Math.max(1, total))
  if (readsPerSecond === 0) return { ...defaults, most, hottest, readsPerSecond }
  const consistent = await asking.confirm('Must such a read see the latest write?')
  const shows = await choice(asking, `What does it show of each ${other}: ids, few attributes or whole?`, 'ids')
  const fewBytes = shows === 'few' ? await number(asking, 'How many bytes are these few?', defaults.fewBytes) : 0
  const fewChangesPerSecond =
    shows === 'few' ? await number(asking, `How often a second do they change, over all ${other}?`, 0) : 0
  const wholeBytes =
    shows === 'ids'
      ? defaults.wholeBytes
      : await number(asking, `How many bytes has one ${other}?`, defaults.wholeBytes)
  return { typical, most, readsPerSecond, consistent, shows, fewBytes, fewChangesPerSecond, wholeBytes, hottest }
}

const SUFFIXES: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, b: 1e9 }

/** `20`, `1,000`, `1.5k`, `2m`. Asks again until it is one. */
async function number(asking: Asking, question: string, usual: number): Promise<number> {
  for (;;) {
    const answer = await asking.ask(`${question} [${usual.toLocaleString('en-US')}] `)
    if (answer === '') return usual
    const [, digits, suffix = ''] = /^([\d,_]*\.?\d+)\s*([kmb]?)$/i.exec(answer) ?? []
    if (digits !== undefined) return Number(digits.replace(/[,_]/g, '')) * SUFFIXES[suffix.toLowerCase()]!
    process.stderr.write('Give a number, such as 20, 1,000, 1.5k or 2m.\n')
  }
}

async function choice(asking: Asking, question: string, usual: Shows): Promise<Shows> {
  for (;;) {
    const answer = (await asking.ask(`${question} [${usual}] `)).toLowerCase() || usual
    const found = (['ids', 'few', 'whole'] as const).find(each => each.startsWith(answer))
    if (found) return found
    process.stderr.write('Give ids, few or whole.\n')
  }
}
