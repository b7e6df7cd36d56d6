import type { Item } from '../../../../src/dynamodb/attribute-value.js'
import type { Layout } from '../../../../src/layout/layout.js'
import { ownKindByName } from '../../../../src/plan/identity.js'
import { rowOf } from '../../../../src/plan/row.js'
import type { Store } from '../../../../src/store/port.js'
import { itemsIn } from '../../../derive/simulator/check-table.js'
import { inOneOrder, isEqual, keyOf, placeOf, textOf } from '../reference/identity.js'
import type { Model, Placed, Write } from '../reference/model.js'
import { difference, expectedState, isOurs, texts } from '../runner/table-state.js'

/** The rows between two requests. */
export interface Moment {
  readonly model: Model
  /** Nodes that are being deleted. */
  readonly going: readonly Placed[]
  /** The rows without the nodes being deleted, as other callers see them. */
  readonly seen: Model
}

/** The contents of the table. */
export interface Look {
  /** One text for each item, without deletion marks. */
  readonly state: readonly string[]
  readonly going: readonly Placed[]
  readonly rows: readonly Placed[]
  /** The complete contents. */
  readonly raw: string
}

/** The number of times that a call reads and writes again. */
const TIMES = 10

/** The history of the rows, request by request. */
export class Moments {
  private readonly all: Moment[] = []

  constructor(
    readonly layout: Layout,
    private readonly tenant: string | undefined,
    model: Model,
  ) {
    this.add(model, [])
  }

  get count(): number {
    return this.all.length
  }

  get now(): Moment {
    return this.all.at(-1)!
  }

  add(model: Model, going: readonly Placed[]): void {
    this.all.push({ model, going, seen: model.without(going) })
  }

  /** The moments since a call began, with the last moment before it. */
  from(at: number): readonly Moment[] {
    return this.all.slice(at)
  }

  async look(store: Store): Promise<Look> {
    const { layout } = this
    const { deletionMark, type } = layout.names
    const items = (await itemsIn(store, layout.design.name)).filter(item => !isOurs(layout, item))
    const kindIn = (item: Item) => layout.kinds.find(({ typeMark }) => typeMark === item[type]?.S)!
    const placed = (item: Item): Placed[] => {
      const kind = kindIn(item)
      return kind === ownKindByName(layout, kind.type.name) ? [{ type: kind.type, row: rowOf(layout, kind, item) }] : []
    }
    return {
      state: texts(
        layout,
        items.map(({ [deletionMark]: _, ...item }) => item),
      ),
      going: items.filter(item => item[deletionMark]).flatMap(placed),
      rows: items.flatMap(placed),
      raw: JSON.stringify(items),
    }
  }

  /** The differences between the table and the expected items of these rows; empty when they are equal. */
  wrongWith(model: Model, { state }: Look): string {
    return difference(state, this.expected(model))
  }

  private expected(model: Model): string[] {
    return expectedState(this.layout, model, this.tenant)
  }

  isNothing(model: Model, after: Model): boolean {
    return this.expected(model).join('\n') === this.expected(after).join('\n')
  }
}

/** Whether both are the same node or edge. */
export const isOf = (one: Placed, other: Placed): boolean =>
  one.type === other.type && placeOf(one.type, one.row) === placeOf(one.type, other.row)

/** The rows that the table no longer contains. */
export function goneFrom(model: Model, { rows }: Look): Placed[] {
  const textIn = ({ type, row }: Placed) => `${type.name} ${textOf(keyOf(type, inOneOrder(type, row)))}`
  const there = new Set(rows.map(textIn))
  const types = [...model.graph.nodes, ...model.graph.edges]
  return types
    .flatMap(type => model.stored(type.name).map(row => ({ type, row })))
    .filter(each => !there.has(textIn(each)))
}

/** Applies writes sequentially and collects the reasons that prevent any of them. */
export function inOrder(from: Model, writes: readonly Write[]): { readonly model: Model; readonly reasons: string[] } {
  let model = from
  const reasons: string[] = []
  for (const write of writes) {
    reasons.push(...model.refusals(write))
    model = model.after(write)
  }
  return { model, reasons }
}

/** Whether a write can have been refused with this code at one of the moments. */
export function isExplained(moments: readonly Moment[], write: Write, code: string): boolean {
  const isRefused = (model: Model) => model.refusals(write).includes(code)
  if (moments.some(({ model, seen }) => isRefused(model) || isRefused(seen))) return true
  const [{ model }] = moments as [Moment]
  const type = model.type(write.type)
  const isGoing = (is: (node: Placed) => boolean) => moments.some(({ going }) => going.some(is))
  switch (code) {
    case 'write.contended':
      return moments.length > TIMES
    case 'node.deleting':
      return isGoing(node => isOf(node, { type, row: write.row }))
    case 'node.restored':
      return write.verb === 'delete'
    case 'edge.end.absent':
      // An existing edge to a node that is being deleted is not put either.
      return isGoing(node => isEnd(node, write, type))
    case 'edge.embed.full':
      // An edge and its node are not read at the same moment, so the map may be full because of the edge's
      // own entry.
      return moments.some(each => isFull(each.model, write))
    default:
      return false
  }
}

const isEnd = ({ type: node, row }: Placed, write: Write, type: Placed['type']): boolean =>
  type.kind === 'edge' && type.ends.some(end => end.node === node && isEqual(write.row[end.name], keyOf(node, row)))

/** Whether a node at an end has the maximum number of entries. */
function isFull(model: Model, { type: name, row }: Write): boolean {
  const type = model.type(name)
  if (type.kind === 'node') return false
  return type.embed.some(({ end: at, into, max }) => {
    const { node } = type.ends.find(({ name }) => name === at)!
    const entries = model.get(node.name, row[at])?.[into] as object | undefined
    return entries !== undefined && Object.keys(entries).length >= max
  })
}
