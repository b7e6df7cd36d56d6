import { memory } from '../../src/embedded.js'
import type { Call } from '../../src/graph/types/call.js'
import { open, type Store } from '../../src/index.js'
import type { Example, Row } from '../../src/layout/items/items.js'
import type { Layout } from '../../src/layout/layout.js'
import { wrap } from '../../src/store/wrap.js'

/** A page's graph in its table, with the nodes and edges of its example. */
export interface Shown {
  readonly made: Layout
  readonly example: Example
}

/** The cost of a call: its requests, and the units that the engine counted. */
export interface Cost {
  readonly requests: string
  readonly units: string
}

interface Traversal {
  repeat(path: unknown, options: object): Traversal
  ids(): Call<unknown>
}

interface Query {
  all(): Call<unknown>
  nodes(): Query
}

/** The handles of any opened graph. */
export type Handles = Readonly<
  Record<
    string,
    {
      readonly by: Readonly<Record<string, (given: unknown) => Query>>
      put(row: Row): Call<unknown>
      get(id: unknown): Call<unknown>
      from(id: unknown): Traversal
      collect(id: unknown, parts: object): Call<unknown>
    }
  >
>

/** Returns the cost of writing the last row of a type while all other rows exist, or of writing another row. */
export function costOfPut({ made, example }: Shown, type: string, instead?: Row): Promise<Cost> {
  const rows = example[type]!
  const there = instead ? example : { ...example, [type]: rows.slice(0, -1) }
  return costOf({ made, example: there }, g => g[type]!.put(instead ?? rows.at(-1)!))
}

/** Runs a call on a table with the rows of the example. */
export async function costOf({ made, example }: Shown, call: (g: Handles) => Call<unknown>): Promise<Cost> {
  const table = memory()
  await fill(table, { made, example })
  const sent: string[] = []
  const store = wrap(table, (operation, request, options, send) => {
    sent.push(requestText(operation, request))
    return send(request, options)
  })
  const g = (await open(made, store, { create: true })) as unknown as Handles
  sent.length = 0
  const { value, consumed } = await call(g).run()
  const { table: tableUnits, ...indexes } = consumed.write
  const read = Object.values(consumed.read).reduce((sum, units) => sum + units, 0)
  return {
    requests: [...counted(sent), ...foundIn(value)].join(', '),
    units: [
      ...(read > 0 ? [`${read} RCU`] : []),
      ...(tableUnits ? [`${tableUnits} WCU`] : []),
      ...Object.entries(indexes).map(([name, units]) => `${units} on ${name}`),
    ].join(', '),
  }
}

/** Writes the rows of an example, and waits until the consumer has processed them. */
async function fill(store: Store, { made, example }: Shown): Promise<void> {
  const g = (await open(made, store)) as unknown as Handles & {
    $settled(): Promise<void>
    $close(): Promise<void>
  }
  const { nodes, edges } = made.graph.declared
  for (const { name } of [...nodes, ...edges]) for (const row of example[name] ?? []) await g[name]!.put(row)
  if (made.design.stream !== 'none') await g.$settled()
  await g.$close()
}

function requestText(operation: string, request: object): string {
  const { IndexName, TransactItems } = request as { IndexName?: string; TransactItems?: readonly unknown[] }
  const name = operation[0]!.toUpperCase() + operation.slice(1)
  return `${name}${IndexName ? ` on ${IndexName}` : ''}${TransactItems ? ` of ${TransactItems.length} items` : ''}`
}

function counted(sent: readonly string[]): string[] {
  return [...new Set(sent)].map(text => {
    const count = sent.filter(each => each === text).length
    return `${count} ${count === 1 ? text : text.replace('Query', 'Queries')}`
  })
}

/** The number of rows that a read returns. A collection includes its node. */
function foundIn(value: unknown): string[] {
  if (Array.isArray(value)) return [`${value.length} found`]
  const isCollection = typeof value === 'object' && value !== null && 'node' in value
  return isCollection ? [`${Object.values(value).flat().length} found`] : []
}
