import type { DeclaredEdge, DeclaredGraph } from '../../schema/declarations.js'
import type { Prompt } from '../terminal/prompt.js'
import {
  defaultEndFacts,
  EDGE_DEFAULTS,
  type EdgeFacts,
  type EndFacts,
  type Facts,
  type NodeDetail,
  TRAVERSAL_DEFAULTS,
  TYPICAL_EDGES,
} from './facts.js'

/** Asks for every fact that the advice depends on; an empty answer accepts the value in brackets. */
export async function askFacts(graph: DeclaredGraph, prompt: Prompt): Promise<Facts> {
  const edges: Record<string, EdgeFacts> = {}
  for (const edge of graph.edges) edges[edge.name] = await askEdge(edge, prompt)
  const hops = await askNumber(prompt, 'How many hops does your longest traversal have?', TRAVERSAL_DEFAULTS.hops)
  const perSecond =
    hops > 1 ? await askNumber(prompt, 'How many of these traversals run per second?', 1) : TRAVERSAL_DEFAULTS.perSecond
  return { edges, traversals: { hops, perSecond } }
}

async function askEdge(edge: DeclaredEdge, prompt: Prompt): Promise<EdgeFacts> {
  const { name, ends } = edge
  const total = await askNumber(prompt, `How many ${name} edges are there?`, EDGE_DEFAULTS.total)
  const facts = {
    total,
    bytes: await askNumber(prompt, `How many bytes has one ${name}, without its ends?`, EDGE_DEFAULTS.bytes),
    writesPerSecond: await askNumber(prompt, `How many ${name} are added a second?`, EDGE_DEFAULTS.writesPerSecond),
    updatesPerSecond: await askNumber(prompt, 'How many are changed a second?', EDGE_DEFAULTS.updatesPerSecond),
    deletesPerSecond: await askNumber(prompt, 'How many are deleted a second?', EDGE_DEFAULTS.deletesPerSecond),
  }
  const [first, second] = ends
  return {
    ...facts,
    ends: {
      [first.name]: await askEnd(name, first.name, second.name, total, prompt),
      [second.name]: await askEnd(name, second.name, first.name, total, prompt),
    },
  }
}

async function askEnd(edge: string, end: string, other: string, total: number, prompt: Prompt): Promise<EndFacts> {
  const typical = await askNumber(prompt, `How many ${edge} does one ${end} typically have?`, TYPICAL_EDGES)
  const defaults = defaultEndFacts(typical, total)
  const most = Math.max(typical, await askNumber(prompt, 'What is the maximum?', defaults.most))
  const readsPerSecond = await askNumber(prompt, `How many reads a second come from ${end}?`, defaults.readsPerSecond)
  const hottest = Math.min(1, most / Math.max(1, total))
  if (readsPerSecond === 0) return { ...defaults, most, hottest, readsPerSecond }
  const consistent = await prompt.confirm('Must a read return the latest write?')
  const shows = await askDetail(prompt, `What does a read show of each ${other}: ids, few attributes or whole?`, 'ids')
  const fewBytes =
    shows === 'few' ? await askNumber(prompt, 'How many bytes do these attributes have?', defaults.fewBytes) : 0
  const fewChangesPerSecond =
    shows === 'few' ? await askNumber(prompt, `How often a second do they change, over all ${other}?`, 0) : 0
  const wholeBytes =
    shows === 'ids'
      ? defaults.wholeBytes
      : await askNumber(prompt, `How many bytes has one ${other}?`, defaults.wholeBytes)
  return { typical, most, readsPerSecond, consistent, shows, fewBytes, fewChangesPerSecond, wholeBytes, hottest }
}

const SUFFIXES: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, b: 1e9 }

/** Parses `20`, `1,000`, `1.5k`, `2m`. Repeats the question until the answer is valid. */
async function askNumber(prompt: Prompt, question: string, defaultNumber: number): Promise<number> {
  for (;;) {
    const answer = await prompt.ask(`${question} [${defaultNumber.toLocaleString('en-US')}] `)
    if (answer === '') return defaultNumber
    const [, digits, suffix = ''] = /^([\d,_]*\.?\d+)\s*([kmb]?)$/i.exec(answer) ?? []
    if (digits !== undefined) return Number(digits.replace(/[,_]/g, '')) * SUFFIXES[suffix.toLowerCase()]!
    process.stderr.write('Give a number, such as 20, 1,000, 1.5k or 2m.\n')
  }
}

async function askDetail(prompt: Prompt, question: string, defaultDetail: NodeDetail): Promise<NodeDetail> {
  for (;;) {
    const answer = (await prompt.ask(`${question} [${defaultDetail}] `)).toLowerCase() || defaultDetail
    const detail = (['ids', 'few', 'whole'] as const).find(name => name.startsWith(answer))
    if (detail) return detail
    process.stderr.write('Give ids, few or whole.\n')
  }
}
