import { readFile } from 'node:fs/promises'
import { PRICES_OF } from '../../dynamodb/dollars.js'
import type { Layout } from '../../layout/layout.js'
import type { DeclaredEdge, DeclaredGraph, Way } from '../../schema/declared.js'
import { Asking, canAsk, Unanswered } from '../asking.js'
import { Failure } from '../failure.js'
import type { SchemaOptions } from '../options.js'
import { print, printJson } from '../output.js'
import { loadGraph } from '../schema-file.js'
import { adviceOf, type EdgeAdvice } from './advice.js'
import { type Facts, factsOf, formOf } from './facts.js'
import { neptuneAdvice } from './neptune.js'
import { askFacts } from './questions.js'
import { adviceText } from './text.js'

interface AdviseOptions extends SchemaOptions {
  readonly facts?: string
  readonly form?: boolean
  readonly set?: Readonly<Record<string, string>>
}

/** Says how to keep each edge, and what it costs. */
export async function adviseCommand(file: string, options: AdviseOptions): Promise<void> {
  const { graph, layout } = await loadGraph(file, options)
  const { declared } = graph
  if (declared.edges.length === 0) throw new Failure(`${file} has no edges: there is nothing to choose`)
  if (options.form) return printJson(formOf(declared))
  const facts = await givenFacts(declared, options)
  const edges: EdgeAdvice[] = []
  for (const edge of declared.edges)
    edges.push(await adviceOf(edge, facts.edges[edge.name]!, presentWays(layout, edge)))
  const neptune = neptuneAdvice(facts, edges)
  if (options.json) printJson({ prices: PRICES_OF, facts, edges, neptune })
  else print(adviceText(facts, edges, neptune))
}

/** How the ends of an edge are served now. */
function presentWays({ accesses }: Layout, { name: type, ends }: DeclaredEdge): Record<string, Way> {
  const wayOf = (end: string) => accesses.find(access => access.type.name === type && access.name === end)?.way
  return Object.fromEntries(ends.map(({ name }) => [name, wayOf(name) ?? 'none']))
}

async function givenFacts(declared: DeclaredGraph, { facts, set = {} }: AdviseOptions): Promise<Facts> {
  if (facts !== undefined || Object.keys(set).length > 0) {
    const given = facts === undefined ? {} : await readJson(facts)
    return factsOf(declared, withSet(declared, given, set), facts ?? '--set')
  }
  if (!canAsk())
    throw new Failure(
      'there is no terminal to ask on: give --facts with a file of answers, which --form prints to be filled in, or --set',
    )
  const asking = new Asking()
  try {
    return await askFacts(declared, asking)
  } catch (error) {
    if (error instanceof Unanswered) throw new Failure('the questions were not answered: nothing is advised')
    throw error
  } finally {
    asking.close()
  }
}

async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Failure(error.code === 'ENOENT' ? `${file} does not exist` : `${file} cannot be read: ${error.message}`)
  })
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Failure(`${file} is no JSON: ${(error as Error).message}`)
  }
}

/** `role.total=5000`, `role.movie.typical=20`, `traversals.hops=2`, over what the file says. */
function withSet({ edges }: DeclaredGraph, given: unknown, set: Readonly<Record<string, string>>): unknown {
  if (Object.keys(set).length === 0) return given
  const facts = structuredClone(given) as Record<string, unknown>
  for (const [name, text] of Object.entries(set)) {
    const [head, ...rest] = name.split('.')
    const names = edges.map(edge => edge.name)
    const isEdge = names.includes(head!)
    if (!isEdge && !/^(edges|traversals)$/.test(head!))
      throw new Failure(`--set ${name}: the graph has no edge '${head}', only ${names.join(', ')}`)
    const path = isEdge ? ['edges', head!, ...(rest.length > 1 ? ['ends', ...rest] : rest)] : [head!, ...rest]
    let within = facts
    for (const part of path.slice(0, -1)) {
      within[part] ??= {}
      within = within[part] as Record<string, unknown>
    }
    within[path.at(-1)!] = settingOf(text)
  }
  return facts
}

function settingOf(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true'
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}
