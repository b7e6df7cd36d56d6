import { Script } from 'node:vm'
import { PRICES_OF, READ_MILLION_DOLLARS, WRITE_MILLION_DOLLARS } from '../dynamodb/dollars.js'
import type { Explained } from '../plan/explain.js'
import type { Plan } from '../plan/plan.js'
import * as operations from '../schema/operations.js'
import { openExample } from './example-graph.js'
import { Failure } from './failure.js'
import type { SchemaOptions } from './options.js'
import { paint, print, printJson } from './output.js'
import { loadGraph } from './schema-file.js'

interface ExplainOptions extends SchemaOptions {
  readonly items?: number
  readonly itemBytes?: number
}

interface Explainable {
  plan(): Plan
  explain(sizes: { readonly items?: number; readonly itemBytes?: number }): Explained
}

/** Prints the requests that a call would send, on a store that holds nothing. */
export async function explainCommand(file: string, text: string, options: ExplainOptions): Promise<void> {
  const { layout } = await loadGraph(file, options)
  const call = evaluate(text, await openExample(layout))
  const { items, itemBytes } = options
  const explained = call.explain({
    ...(items !== undefined && { items }),
    ...(itemBytes !== undefined && { itemBytes }),
  })
  if (options.json) {
    const requests = call.plan().steps.map(({ request }) => request)
    const steps = explained.steps.map((step, i) => ({ ...step, request: requests[i] }))
    printJson({ steps, total: explained.total, millionDollars: millionDollars(explained), pricesOf: PRICES_OF })
  } else print(`${coloured(explained.toString())}\n${priceText(explained)}`)
}

const summed = (units: Readonly<Record<string, number>>) => Object.values(units).reduce((sum, each) => sum + each, 0)

/** Of a million such calls, on demand. */
const millionDollars = ({ total: { read, write } }: Explained) =>
  summed(read) * READ_MILLION_DOLLARS + summed(write) * WRITE_MILLION_DOLLARS

const priceText = (explained: Explained) =>
  paint('dim', `Price: $${millionDollars(explained).toFixed(2)} per million calls on demand (${PRICES_OF}).`)

/** What the text stands for, with the members of the handle in scope, and the handle itself as `g`. */
function evaluate(given: string, g: object): Explainable {
  const text = given.trim().replace(/^await\s|;$/g, '')
  const scope = { ...operations, g, ...g }
  let made: unknown
  try {
    // Alone it is told what is wrong with it, and not with what is put around it.
    new Script(`(${text}\n)`)
    // Whoever runs the command wrote the text, as they wrote the schema.
    made = new Function('scope', `with (scope) { return (${text}\n) }`)(scope)
  } catch (error) {
    throw evaluationFailure(text, error as Error, g)
  }
  if (typeof (made as Partial<Explainable> | undefined)?.explain === 'function') return made as Explainable
  throw new Failure(`${text} is not a call; ${endingOf(made)}`)
}

/** What makes a call of a read or a traversal. */
function endingOf(made: unknown): string {
  const { all, ids } = (made ?? {}) as { readonly all?: unknown; readonly ids?: unknown }
  if (typeof all === 'function') return 'end it with .all(), .first(), .page() or .count()'
  if (typeof ids === 'function') return 'end it with .ids(), .nodes(), .paths() or another result'
  return "write one like role.by.actor('Tom Hanks').all()"
}

function evaluationFailure(text: string, error: Error, g: object): Error {
  if (error.name === 'GraphError') return error
  const names = Object.keys(g).filter(name => !name.startsWith('$'))
  const there =
    lackingIn(text, g) ??
    (names.length > 0 ? `g has ${names.join(', ')}` : "the graph has tenants; begin with $tenant('name')")
  return new Failure(`${text} cannot be read as a call: ${error.message} (${there})`)
}

type Handles = Readonly<Record<string, { readonly by?: object } | undefined>>

const MEMBER = /([\p{L}_][\p{L}\p{N}_]*)(\.by)?(?=\.([\p{L}_][\p{L}\p{N}_]*))/gu

/** What a type has in place of the path, or the call, that is asked of it. */
function lackingIn(text: string, g: object): string | undefined {
  const { $tenant } = g as { readonly $tenant?: (id: string) => object }
  const handles = ($tenant ? $tenant('any') : g) as Handles
  for (const [, type = '', by = '', name = ''] of text.matchAll(MEMBER)) {
    const members = by ? handles[type]?.by : handles[type]
    if (members && !(name in members)) return `${type}${by} has ${Object.keys(members).join(', ') || 'nothing'}`
  }
  return undefined
}

/** Its requests stand out from what they cost. */
const coloured = (text: string) =>
  text
    .replace(/^(?:Wave )?\d+\. \w+/gm, head => paint('cyan', head))
    .replace(/^Total:.*$/m, last => paint('bold', last))
