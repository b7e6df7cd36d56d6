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

/** Prints the requests that a call would send, on an empty store. */
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

/** The on-demand price of a million of these calls. */
const dollarsPerMillion = ({ total: { read, write } }: PlanExplanation) =>
  sumUnits(read) * READ_MILLION_DOLLARS + sumUnits(write) * WRITE_MILLION_DOLLARS

const formatPrice = (explained: PlanExplanation) =>
  paint(
    'dim',
    `Price: $${dollarsPerMillion(explained).toFixed(2)} per million calls on demand (${PRICE_REGION_AND_DATE}).`,
  )

/** Evaluates the text, with the members of the handle in scope, and the handle itself as `g`. */
function evaluateCall(expression: string, g: object): Explainable {
  const text = expression.trim().replace(/^await\s|;$/g, '')
  const scope = { ...operations, g, ...g }
  let result: unknown
  try {
    // Compiles the text alone first, so that a syntax error refers to the text and not to the wrapper.
    new Script(`(${text}\n)`)
    // The user wrote the text, as they wrote the schema, so evaluating it is safe.
    result = new Function('scope', `with (scope) { return (${text}\n) }`)(scope)
  } catch (error) {
    throw evaluationFailure(text, error as Error, g)
  }
  if (typeof (result as Partial<Explainable> | undefined)?.explain === 'function') return result as Explainable
  throw new CommandFailure(`\`${text}\`: this is not a call; ${missingEnding(result)}.`)
}

/** The ending that turns a read or a traversal into a call. */
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
    (names.length > 0
      ? `use a member of g: ${names.join(', ')}`
      : "begin with $tenant('name'), because the graph has tenants")
  return new CommandFailure(`\`${text}\`: the call cannot be evaluated (${error.message}); ${hint}.`)
}

type HandlesByType = Readonly<Record<string, { readonly by?: object } | undefined>>

const MEMBER = /([\p{L}_][\p{L}\p{N}_]*)(\.by)?(?=\.([\p{L}_][\p{L}\p{N}_]*))/gu

/** Lists the members of a type when the text uses a path or a call that does not exist. */
function missingMemberHint(text: string, g: object): string | undefined {
  const { $tenant } = g as { readonly $tenant?: (id: string) => object }
  const handles = ($tenant ? $tenant('any') : g) as HandlesByType
  for (const [, type = '', by = '', name = ''] of text.matchAll(MEMBER)) {
    const members = by ? handles[type]?.by : handles[type]
    if (!members || name in members) continue
    const names = Object.keys(members)
    return names.length > 0
      ? `use a member of ${type}${by}: ${names.join(', ')}`
      : `use another type, because ${type}${by} has no members`
  }
  return undefined
}

/** Colors the requests, so that they stand out from their costs. */
const colorExplanation = (text: string) =>
  text
    .replace(/^(?:Wave )?\d+\. \w+/gm, head => paint('cyan', head))
    .replace(/^Total:.*$/m, last => paint('bold', last))
