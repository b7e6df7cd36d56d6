import { counterNamesOf } from '../../../src/derive/settle/recount.js'
import { parseItem } from '../../../src/derive/settle/side-items.js'
import type { Item } from '../../../src/dynamodb/index.js'
import type { ChangeRecord } from '../../../src/dynamodb/operation-types.js'
import type { Layout } from '../../../src/layout/layout.js'

/** Describes the first negative counter in the records. */
export function negativeIn(layout: Layout, { dynamodb }: ChangeRecord): string | undefined {
  const item = dynamodb?.NewImage
  const type = item && parseItem(layout, item)?.kind.type
  if (type?.kind !== 'node') return undefined
  const name = counterNamesOf(layout, type).find(each => Number(item![each]?.N ?? 0) < 0)
  return name && `a counter was negative: ${name} of ${JSON.stringify(item)}`
}

/** The documented pattern: every record of an edge adds one to its counter or subtracts one. */
export class Naive {
  private readonly counts = new Map<string, number>()

  constructor(private readonly layout: Layout) {}

  handle(records: readonly ChangeRecord[]): void {
    for (const { eventName, dynamodb } of records) {
      const item = dynamodb?.NewImage ?? dynamodb?.OldImage
      if (!item || eventName === 'MODIFY' || parseItem(this.layout, item)?.kind.role !== 'edge') continue
      const node = item[this.layout.names.partition]!.S!
      this.counts.set(node, (this.counts.get(node) ?? 0) + (eventName === 'INSERT' ? 1 : -1))
    }
  }

  isRight(items: readonly Item[]): boolean {
    const truth = new Map<string, number>()
    for (const item of items) {
      if (parseItem(this.layout, item)?.kind.role !== 'edge') continue
      const node = item[this.layout.names.partition]!.S!
      truth.set(node, (truth.get(node) ?? 0) + 1)
    }
    return [...new Set([...truth.keys(), ...this.counts.keys()])].every(
      node => (truth.get(node) ?? 0) === (this.counts.get(node) ?? 0),
    )
  }
}
