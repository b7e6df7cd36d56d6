import { inspect } from 'node:util'
import type { Call, Consumed, Item, Layout, Listener, Store } from 'edgewise'
import { type Example, itemsOf, printIndex, printItems } from 'edgewise/layout'

/** A request as it was sent. */
export interface Sent {
  readonly operation: string
  readonly input: { readonly IndexName?: string }
}

/** An access pattern that was run. */
export interface Asked {
  readonly what: string
  /** The call, as it stands in the example. */
  readonly code: string
  readonly explained: string
  readonly sent: readonly Sent[]
  readonly value: unknown
  readonly requests: number
  readonly consumed: Consumed
}

export interface Shown {
  readonly title: string
  readonly graph: { readonly $layout: Layout }
  readonly store: Store
  /** What was loaded, by type. */
  readonly rows: Example
  /** Calls by what they ask for. */
  readonly patterns: Readonly<Record<string, () => Call<unknown>>>
}

const ITEM_BYTES = 100
const WIDTH = 110
const sent: Sent[] = []

/** For `open`: keeps the requests, so that they can be shown. */
export const listener: Listener = ({ kind, name, input }) => {
  if (kind === 'request') sent.push({ operation: name, input: input as Sent['input'] })
  return undefined
}

/** Prints the table of an example, then runs and prints each of its access patterns. */
export async function show({ title, graph, store, rows, patterns }: Shown): Promise<Asked[]> {
  const layout = graph.$layout
  const items = itemsOf(layout, rows)
  print(`# ${title}`, `The table ${layout.design.name}:`, printItems(layout, items))
  for (const { name } of layout.design.indexes) print(`The index ${name}:`, printIndex(layout, items, name))
  const asked: Asked[] = []
  for (const [what, call] of Object.entries(patterns)) {
    const one = await ask(what, call, store)
    asked.push(one)
    await printAsked(asked.length, one, layout, store)
  }
  return asked
}

async function ask(what: string, call: () => Call<unknown>, store: Store): Promise<Asked> {
  sent.length = 0
  const { value, requests, consumed } = await call().run()
  const requested = [...sent]
  const found = await Promise.all(requested.map(each => itemsFound(each, store)))
  const queried = found.filter((_, i) => requested[i]!.operation === 'query').flat().length
  const explained = call().explain({ items: queried, itemBytes: ITEM_BYTES }).toString()
  return { what, code: codeOf(call), explained, sent: requested, value, requests, consumed }
}

/** A function's own text is what was asked; some compilers change its quotes. */
function codeOf(call: () => unknown): string {
  const code = String(call).replace(/^\(\) =>\s*/, '')
  return code
    .replace(/\n\s*\./g, '.')
    .replace(/\s+/g, ' ')
    .replaceAll('"', "'")
}

async function printAsked(number: number, asked: Asked, layout: Layout, store: Store): Promise<void> {
  const { what, code, explained, value, requests, consumed } = asked
  print(`## ${number}. ${what}`, `await ${code}`, explained)
  for (const index of new Set(asked.sent.map(({ input }) => input.IndexName)))
    print(await foundTable(index, asked.sent, layout, store))
  const places = Object.entries(consumed.read).map(([place, units]) => `${units} on ${placeName(place)}`)
  print(
    `Answered:\n\n${inspect(value, { depth: null, breakLength: WIDTH })}`,
    `Consumed: ${counted(requests, 'request')}, ${counted(consumed.total, 'read unit')}: ${places.join(', ')}`,
  )
}

const placeName = (place: string) => (place === 'table' ? 'the table' : `the index ${place}`)
const counted = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`
const print = (...paragraphs: string[]) => console.log(`${paragraphs.join('\n\n')}\n`)

/** What the requests to one place found, as it lies there; etags are left out. */
async function foundTable(index: string | undefined, all: readonly Sent[], layout: Layout, store: Store) {
  const here = all.filter(({ input }) => input.IndexName === index)
  const items = (await Promise.all(here.map(each => itemsFound(each, store)))).flat()
  const found = items.map(({ [layout.names.etag]: _, ...item }) => ({ kind: '', item }))
  if (index === undefined) return `Found in the table:\n\n${printItems(layout, found)}`
  return `Found in the index ${index}:\n\n${printIndex(layout, found, index)}`
}

/** The same request once more, for its items. */
async function itemsFound({ operation, input }: Sent, store: Store): Promise<readonly Item[]> {
  if (operation === 'query') return (await store.query(input as never)).Items ?? []
  if (operation === 'batchGetItem')
    return Object.values((await store.batchGetItem(input as never)).Responses ?? {}).flat()
  const { Item } = await store.getItem(input as never)
  return Item ? [Item] : []
}
