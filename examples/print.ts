import { inspect } from 'node:util'
import type { Call, Consumed, Layout, Store, TraceListener } from 'edgewise'
import type { Item } from 'edgewise/dynamodb'
import { type Example, itemsOf, type PhysicalItem, printIndex, printItems } from 'edgewise/layout'

/** A sent request. */
export interface Sent {
  readonly operation: string
  readonly input: { readonly IndexName?: string }
}

/** An access pattern that was run. */
export interface Asked {
  readonly what: string
  /** The source text of the call in the example. */
  readonly code: string
  readonly explained: string
  readonly sent: readonly Sent[]
  readonly value: unknown
  readonly requests: number
  readonly consumed: Consumed
  /** The items that the requests found, by the index that they were sent to. */
  readonly found: readonly Found[]
}

interface Found {
  /** Undefined for the table itself. */
  readonly index: string | undefined
  /** The stored items without their etags. */
  readonly items: readonly PhysicalItem[]
}

export interface Shown {
  readonly title: string
  readonly graph: { readonly $layout: Layout }
  readonly store: Store
  /** The loaded rows by type. */
  readonly rows: Example
  /** Calls by the question that they answer. */
  readonly patterns: Readonly<Record<string, () => Call<unknown>>>
}

const ITEM_BYTES = 100
const WIDTH = 110
const sent: Sent[] = []

/** A listener for `open` that records the requests. */
export const listener: TraceListener = ({ kind, name, input }) => {
  if (kind === 'request') sent.push({ operation: name, input: input as Sent['input'] })
  return undefined
}

/** Runs each access pattern of an example, prints the results and returns them. */
export async function show(shown: Shown): Promise<Asked[]> {
  const asked: Asked[] = []
  for (const [what, call] of Object.entries(shown.patterns)) asked.push(await ask(what, call, shown))
  present(shown, asked)
  return asked
}

/** An example whose steps depend on each other, such as a job and the read of its results. */
export interface ShownSteps {
  readonly title: string
  readonly graph: Shown['graph']
  readonly steps: Readonly<Record<string, () => Promise<unknown>>>
  /** The stored items after the last step. */
  readonly items: () => Promise<readonly Item[]>
}

/** A step that was run. */
export interface Step {
  readonly what: string
  /** The source text of the step in the example. */
  readonly code: string
  readonly value: unknown
}

/** Runs the steps of an example in their order, prints the results and returns them. */
export async function showSteps({ title, graph, steps, items }: ShownSteps): Promise<Step[]> {
  const ran: Step[] = []
  for (const [what, run] of Object.entries(steps)) ran.push({ what, code: codeOf(run), value: await run() })
  presentSteps({ title, graph, items: physical(await items(), graph.$layout) }, ran)
  return ran
}

type PresentSteps = (
  shown: Pick<ShownSteps, 'title' | 'graph'> & { readonly items: readonly PhysicalItem[] },
  steps: readonly Step[],
) => void

let presentSteps: PresentSteps = printSteps

/** Passes the steps of all further examples to this function instead of printing them. */
export function presentStepsBy(other: PresentSteps): void {
  presentSteps = other
}

function printSteps({ title, graph, items }: Parameters<PresentSteps>[0], steps: readonly Step[]): void {
  print(`# ${title}`)
  for (const [at, { what, code, value }] of steps.entries())
    print(
      `## ${at + 1}. ${what}`,
      `await ${code}`,
      `Answered:\n\n${inspect(value, { depth: null, breakLength: WIDTH })}`,
    )
  print(`The table ${graph.$layout.design.name} after the last step:`, printItems(graph.$layout, items))
}

type Present = (shown: Shown, asked: readonly Asked[]) => void

let present: Present = printAll

/** Passes all further results to this function instead of printing them. */
export function presentBy(other: Present): void {
  present = other
}

function printAll({ title, graph, rows }: Shown, asked: readonly Asked[]): void {
  const layout = graph.$layout
  const items = itemsOf(layout, rows)
  print(`# ${title}`, `The table ${layout.design.name}:`, printItems(layout, items))
  for (const { name } of layout.design.indexes) print(`The index ${name}:`, printIndex(layout, items, name))
  for (const [i, one] of asked.entries()) printAsked(i + 1, one, layout)
}

async function ask(what: string, call: () => Call<unknown>, { graph, store }: Shown): Promise<Asked> {
  sent.length = 0
  const { value, requests, consumed } = await call().run()
  const requested = [...sent]
  const items = await Promise.all(requested.map(each => itemsFound(each, store)))
  const queried = items.filter((_, i) => requested[i]!.operation === 'query').flat().length
  const explained = call().explain({ items: queried, itemBytes: ITEM_BYTES }).toString()
  const indexes = [...new Set(requested.map(({ input }) => input.IndexName))]
  const found = indexes.map(index => ({
    index,
    items: items
      .filter((_, i) => requested[i]!.input.IndexName === index)
      .flatMap(each => physical(each, graph.$layout)),
  }))
  return { what, code: codeOf(call), explained, sent: requested, value, requests, consumed, found }
}

const physical = (items: readonly Item[], { names }: Layout): PhysicalItem[] =>
  items.map(({ [names.etag]: _, ...item }) => ({ kind: '', item }))

/** Returns the source text of a pattern. Some compilers change its quotes and how it calls imported functions. */
function codeOf(call: () => unknown): string {
  const code = String(call).replace(/^\(\) =>\s*/, '')
  return code
    .replace(/\n\s*\./g, '.')
    .replace(/\s+/g, ' ')
    .replace(/\(0, ?\w+\.(\w+)\)/g, '$1')
    .replaceAll('"', "'")
}

function printAsked(number: number, asked: Asked, layout: Layout): void {
  const { what, code, explained, value, requests, consumed, found } = asked
  print(`## ${number}. ${what}`, `await ${code}`, explained)
  for (const each of found) print(foundTable(each, layout))
  const places = Object.entries(consumed.read).map(([place, units]) => `${units} on ${placeName(place)}`)
  print(
    `Answered:\n\n${inspect(value, { depth: null, breakLength: WIDTH })}`,
    `Consumed: ${counted(requests, 'request')}, ${counted(consumed.total, 'read unit')}: ${places.join(', ')}`,
  )
}

const placeName = (place: string) => (place === 'table' ? 'the table' : `the index ${place}`)
const counted = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`
const print = (...paragraphs: string[]) => console.log(`${paragraphs.join('\n\n')}\n`)

function foundTable({ index, items }: Found, layout: Layout): string {
  if (index === undefined) return `Found in the table:\n\n${printItems(layout, items)}`
  return `Found in the index ${index}:\n\n${printIndex(layout, items, index)}`
}

/** Repeats a request to get its items. */
async function itemsFound({ operation, input }: Sent, store: Store): Promise<readonly Item[]> {
  if (operation === 'query') return (await store.query(input as never)).Items ?? []
  if (operation === 'batchGetItem')
    return Object.values((await store.batchGetItem(input as never)).Responses ?? {}).flat()
  const { Item } = await store.getItem(input as never)
  return Item ? [Item] : []
}
