import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import type { Item } from '../../src/dynamodb/attribute-value.js'

/** One call of a writer, with the resulting item of each key; undefined if the key is deleted. */
export interface Operation {
  readonly id: string
  readonly writer: number
  readonly kind: 'put' | 'update' | 'delete' | 'transaction'
  readonly effects: readonly Effect[]
}

export interface Effect {
  readonly key: string
  readonly item: Item | null
}

type Line = { begun: Operation } | { done: string } | { undone: string }

/** The operations that a writer began and their results, on disk line by line, so that they survive the writer. */
export class History {
  constructor(private readonly file: string) {}

  begin(operation: Operation): void {
    this.write({ begun: operation })
  }

  /** The operation was acknowledged or found to be applied. */
  finish(id: string): void {
    this.write({ done: id })
  }

  /** The operation was found not to be applied. */
  forget(id: string): void {
    this.write({ undone: id })
  }

  read(): { done: Operation[]; open: Operation[] } {
    const lines = existsSync(this.file) ? readFileSync(this.file, 'utf8').trimEnd().split('\n') : []
    const begun = new Map<string, Operation>()
    const done: Operation[] = []
    for (const line of lines.filter(text => text !== '').map(text => JSON.parse(text) as Line)) {
      if ('begun' in line) begun.set(line.begun.id, line.begun)
      else if ('undone' in line) begun.delete(line.undone)
      else {
        done.push(begun.get(line.done)!)
        begun.delete(line.done)
      }
    }
    return { done, open: [...begun.values()] }
  }

  private write(line: Line): void {
    appendFileSync(this.file, `${JSON.stringify(line)}\n`)
  }
}

/** Returns the item of each key after these operations. */
export function itemsAfter(operations: readonly Operation[]): Map<string, Item> {
  const items = new Map<string, Item>()
  for (const { key, item } of operations.flatMap(({ effects }) => effects)) {
    if (item) items.set(key, item)
    else items.delete(key)
  }
  return items
}
