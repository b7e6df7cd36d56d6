import { PRICE_REGION_AND_DATE } from '../../dynamodb/prices.js'
import type { Layout } from '../../layout/layout.js'
import type { AccessMethod, DeclaredEdge, DeclaredGraph } from '../../schema/declarations.js'
import { CommandFailure } from '../command-failure.js'
import { readJsonFile } from '../files/read-json.js'
import { loadGraph } from '../graph-file/load-graph.js'
import type { SchemaOptions } from '../options.js'
import { print, printJson } from '../terminal/output.js'
import { canPrompt, Prompt, UnansweredError } from '../terminal/prompt.js'
import { adviseEdge, type EdgeAdvice } from './advice.js'
import { type Facts, factsFormOf, parseFacts } from './facts.js'
import { adviseNeptune } from './neptune.js'
import { askFacts } from './questions.js'
import { formatAdvice } from './text.js'

interface AdviseOptions extends SchemaOptions {
  readonly facts?: string
  readonly form?: boolean
  readonly set?: Readonly<Record<string, string>>
}

/** Recommends how to store each edge, with its cost. */
export async function adviseCommand(file: string, options: AdviseOptions): Promise<void> {
  const { graph, layout } = await loadGraph(file, options)
  const { declared } = graph
  if (declared.edges.length === 0)
    throw new CommandFailure(`${file}: the graph has no edges to compare; declare an edge.`)
  if (options.form) return printJson(factsFormOf(declared))
  const facts = await readFacts(declared, options)
  const edges: EdgeAdvice[] = []
  for (const edge of declared.edges)
    edges.push(await adviseEdge(edge, facts.edges[edge.name]!, presentWaysOf(layout, edge)))
  const neptune = adviseNeptune(facts, edges)
  if (options.json) printJson({ prices: PRICE_REGION_AND_DATE, facts, edges, neptune })
  else print(formatAdvice(facts, edges, neptune))
}

/** Returns how the schema currently serves the ends of an edge. */
function presentWaysOf({ accesses }: Layout, { name: type, ends }: DeclaredEdge): Record<string, AccessMethod> {
  const wayOf = (end: string) => accesses.find(access => access.type.name === type && access.name === end)?.method
  return Object.fromEntries(ends.map(({ name }) => [name, wayOf(name) ?? 'none']))
}

async function readFacts(declared: DeclaredGraph, { facts, set = {} }: AdviseOptions): Promise<Facts> {
  if (facts !== undefined || Object.keys(set).length > 0) {
    const fileFacts = facts === undefined ? {} : await readJsonFile(facts)
    return parseFacts(declared, withSettings(declared, fileFacts, set), facts ?? '--set')
  }
  if (!canPrompt())
    throw new CommandFailure(
      'advise: there is no terminal for questions; add --set, or --facts with a file of answers (--form prints a form for it).',
    )
  const prompt = new Prompt()
  try {
    return await askFacts(declared, prompt)
  } catch (error) {
    if (error instanceof UnansweredError)
      throw new CommandFailure(
        'advise: the input ended before the last question; run the command again, or add --facts.',
      )
    throw error
  } finally {
    prompt.close()
  }
}

/** Parses `role.total=5000`, `role.movie.typical=20`, `traversals.hops=2`; these replace values of the file. */
function withSettings({ edges }: DeclaredGraph, fileFacts: unknown, set: Readonly<Record<string, string>>): unknown {
  if (Object.keys(set).length === 0) return fileFacts
  const facts = structuredClone(fileFacts) as Record<string, unknown>
  for (const [name, text] of Object.entries(set)) {
    const [head, ...rest] = name.split('.')
    const names = edges.map(edge => edge.name)
    const isEdge = names.includes(head!)
    if (!isEdge && !/^(edges|traversals)$/.test(head!))
      throw new CommandFailure(`--set: '${name}' names no edge of the graph; use one of ${names.join(', ')}.`)
    const path = isEdge ? ['edges', head!, ...(rest.length > 1 ? ['ends', ...rest] : rest)] : [head!, ...rest]
    let target = facts
    for (const part of path.slice(0, -1)) {
      target[part] ??= {}
      target = target[part] as Record<string, unknown>
    }
    target[path.at(-1)!] = parseSetting(text)
  }
  return facts
}

function parseSetting(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true'
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}
