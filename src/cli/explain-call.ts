import { Script } from 'node:vm'
import { PRICE_REGION_AND_DATE, READ_MILLION_DOLLARS, WRITE_MILLION_DOLLARS } from '../dynamodb/prices.js'
import type { PlanExplanation } from '../plan/explain.js'
import type { Plan } from '../plan/plan.js'
import * as operations from '../schema/patch-operations.js'
import { CommandFailure } from './command-failure.js'
import { openExampleGraph } from './graph-file/example-graph.js'
import { loadGraph } from './graph-file/load-graph.js'
import type { SchemaOptions } from './options.js'
import { paint, print, printJson } from './terminal/output.js'

interface ExplainOptions extends SchemaOptions {
  readonly items?: number
  readonly itemBytes?: number
}

interface Explainable {
  plan(): Plan
  explain(sizes: { readonly items?: number; readonly itemBytes?: number }): PlanExplanation
}

/** Prints the requests that a call would send, on a store that holds nothing. */
export async function explainCommand(file: string, text: string, options: ExplainOptions): Promise<void> {
  const { layout } = await loadGraph(file, options)
  const call = evaluateCall(text, await openExampleGraph(layout))
  const { items, itemBytes } = options
  const explained = call.explain({
    ...(items !== undefined && { items }),
    ...(itemBytes !== undefined && { itemBytes }),
  })
  if (options.json) {
    const requests = call.plan().steps.map(({ request }) => request)
    const steps = explained.steps.map((step, i) => ({ ...step, request: requests[i] }))
    printJson({
      steps,
      total: explained.total,
      millionDollars: dollarsPerMillion(explained),
      pricesOf: PRICE_REGION_AND_DATE,
    })
  } else print(`${colorExplanation(explained.toString())}\n${formatPrice(explained)}`)
}

const sumUnits = (units: Readonly<Record<string, number>>) => Object.values(units).reduce((sum, each) => sum + each, 0)

/** Of a million such calls, on demand. */
const dollarsPerMillion = ({ total: { read, write } }: PlanExplanation) =>
  sumUnits(read) * READ_MILLION_DOLLARS + sumUnits(write) * WRITE_MILLION_DOLLARS

const formatPrice = (explained: PlanExplanation) =>
  paint(
    'dim',
    `Price: $${dollarsPerMillion(explained).toFixed(2)} per million calls on demand (${PRICE_REGION_AND_DATE}).`,
  )

/** What the text stands for, with the members of the handle in scope, and the handle itself as `g`. */
function evaluateCall(expression: string, g: object): Explainable {
  const text = expression.trim().replace(/^await\s|;$/g, '')
  const scope = { ...operations, g, ...g }
  let result: unknown
  try {
    // Alone it is told what is wrong with it, and not with what is put around it.
    new Script(`(${text}\n)`)
    // Whoever runs the command wrote the text, as they wrote the schema.
    result = new Function('scope', `with (scope) { return (${text}\n) }`)(scope)
  } catch (error) {
    throw evaluationFailure(text, error as Error, g)
  }
  if (typeof (result as Partial<Explainable> | undefined)?.explain === 'function') return result as Explainable
  throw new CommandFailure(`${text} is not a call; ${missingEnding(result)}`)
}

/** What makes a call of a read or a traversal. */
function missingEnding(result: unknown): string {
  const { all, ids } = (result ?? {}) as { readonly all?: unknown; readonly ids?: unknown }
  if (typeof all === 'function') return 'end it with .all(), .first(), .page() or .count()'
  if (typeof ids === 'function') return 'end it with .ids(), .nodes(), .paths() or another result'
  return "write one like role.by.actor('Tom Hanks').all()"
}

function evaluationFailure(text: string, error: Error, g: object): Error {
  if (error.name === 'GraphError') return error
  const names = Object.keys(g).filter(name => !name.startsWith('$'))
  const hint =
    missingMemberHint(text, g) ??
    (names.length > 0 ? `g has ${names.join(', ')}` : "the graph has tenants; begin with $tenant('name')")
  return new CommandFailure(`${text} cannot be read as a call: ${error.message} (${hint})`)
}

type HandlesByType = Readonly<Record<string, { readonly by?: object } | undefined>>

const MEMBER = /([\p{L}_][\p{L}\p{N}_]*)(\.by)?(?=\.([\p{L}_][\p{L}\p{N}_]*))/gu

/** What a type has in place of the path, or the call, that is asked of it. */
function missingMemberHint(text: string, g: object): string | undefined {
  const { $tenant } = g as { readonly $tenant?: (id: string) => object }
  const handles = ($tenant ? $tenant('any') : g) as HandlesByType
  for (const [, type = '', by = '', name = ''] of text.matchAll(MEMBER)) {
    const members = by ? handles[type]?.by : handles[type]
    if (members && !(name in members)) return `${type}${by} has ${Object.keys(members).join(', ') || 'nothing'}`
  }
  return undefined
}

/** Its requests stand out from what they cost. */
const colorExplanation = (text: string) =>
  text
    .replace(/^(?:Wave )?\d+\. \w+/gm, head => paint('cyan', head))
    .replace(/^Total:.*$/m, last => paint('bold', last))
