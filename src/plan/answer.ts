import type { Item } from '../dynamodb/attribute-value.js'
import type { Layout } from '../layout/layout.js'
import { writeCursor } from './cursor.js'
import { type Answered, answersOf, type Entry, entriesOf, itemsIn, keyOfEntry, keyText, kindNamed } from './found.js'
import type { Found, Plan, RowsShape, Shape, Slots } from './plan.js'
import { isLive, type Row, rowOf, valuesOf } from './row.js'

export interface Page {
  readonly items: readonly unknown[]
  /** Where the next page begins; undefined where there is none. */
  readonly cursor: string | undefined
}

/** What the caller gets, once everything is answered. */
export function answerOf(layout: Layout, plan: Plan, answered: readonly Answered[], nowMs?: number): unknown {
  return new Answers(layout, answered, nowMs).shaped(plan.answer)
}

/** Reads the answers of one plan. */
class Answers {
  constructor(
    private readonly layout: Layout,
    private readonly answered: readonly Answered[],
    private readonly nowMs: number | undefined,
  ) {}

  shaped(shape: Shape): unknown {
    switch (shape.shape) {
      case 'nothing':
        return undefined
      case 'row':
        return this.row(this.item(shape.step, shape.kind, shape.identity), shape.kind, shape.turned)
      case 'exists':
        return this.item(shape.step, shape.kind, shape.identity) !== undefined
      case 'many': {
        const items = this.byKey(shape.steps)
        return shape.keys.map((key, i) =>
          this.row(items.get(keyText(this.layout, key)), shape.kind, shape.turned?.includes(i)),
        )
      }
      case 'rows':
        return this.page(shape)
      case 'count':
        return shape.found ? this.entries(shape.found).entries.length : this.counted(shape.steps)
      case 'collection': {
        const parts = Object.entries(shape.parts).map(([name, part]) => [name, this.page(part).items])
        const { kind, step } = shape.node
        return { node: this.row(this.item(step, kind), kind), ...Object.fromEntries(parts) }
      }
    }
  }

  private answers(step: number) {
    return answersOf(this.answered, step)
  }

  private entries(found: Found) {
    return entriesOf(this.layout, found, this.answered, this.nowMs)
  }

  private counted(steps: readonly number[]): number {
    return steps.flatMap(step => this.answers(step)).reduce((sum, { Count = 0 }) => sum + Count, 0)
  }

  /** The item of that kind, or the only one, if it is the one that was asked for. */
  private item(step: number, kindName: string, identity: Slots = {}): Item | undefined {
    const kind = kindNamed(this.layout, kindName)
    const items = itemsIn(this.answers(step))
    const item = items.find(found => found[this.layout.names.type]?.S === kind.mark) ?? this.answers(step)[0]?.Item
    if (!item || !isLive(this.layout, item, this.nowMs)) return undefined
    const values = Object.keys(identity).length > 0 ? valuesOf(this.layout, kind, item) : {}
    const same = Object.entries(identity).every(([slot, value]) => isEqual(values[slot], value))
    return same ? item : undefined
  }

  private row(item: Item | undefined, kind: string, turned = false): Row | undefined {
    if (!item || !isLive(this.layout, item, this.nowMs)) return undefined
    return rowOf(this.layout, kindNamed(this.layout, kind), item, turned)
  }

  private byKey(steps: readonly number[]): Map<string, Item> {
    const items = steps.flatMap(step => itemsIn(this.answers(step)))
    return new Map(items.map(item => [keyText(this.layout, item), item]))
  }

  private page(shape: RowsShape): Page {
    const { found } = shape
    const { entries, more } = this.entries(found)
    const last = entries.at(-1)
    const cursor = more && last && shape.cursor ? this.cursor(shape.cursor, found, last) : undefined
    return { items: this.rows(shape, entries), cursor }
  }

  private cursor({ query, keys }: NonNullable<RowsShape['cursor']>, { steps }: Found, { step, item }: Entry): string {
    const source = steps.indexOf(step)
    const key = Object.fromEntries(keys[source]!.map(attribute => [attribute, item[attribute]!]))
    return writeCursor(query, { source, key })
  }

  private rows({ found, whole, nodes }: RowsShape, entries: readonly Entry[]): unknown[] {
    const items = whole && this.byKey([whole.step])
    const neighbours = nodes && this.byKey([nodes.step])
    return entries.flatMap(entry => {
      const item = items ? items.get(this.key(found, whole!.kind, entry)) : entry.item
      if (!nodes) return this.row(item, this.kindOf(entry, whole), entry.turned) ?? []
      const node = this.row(neighbours!.get(this.key(found, nodes.kind, entry, nodes.end)), nodes.kind)
      if (nodes.as === 'nodes') return node ?? []
      const edge = this.row(item, this.kindOf(entry, whole), entry.turned)
      return edge ? [{ edge, node }] : []
    })
  }

  /** A whole item is of its own kind; of an edge that was turned, of the kind that it was found as. */
  private kindOf({ kind, turned }: Entry, whole: RowsShape['whole']): string {
    return turned ? kind : (whole?.kind ?? kind)
  }

  private key(found: Found, kind: string, entry: Entry, end?: string): string {
    const late = { late: 'keys', found, kind, ...(end !== undefined && { end }) } as const
    return keyText(this.layout, keyOfEntry(this.layout, late, entry))
  }
}

const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
