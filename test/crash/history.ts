import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import type { Item } from '../../src/dynamodb/attribute-value.js'

/** One call of a writer: what each key that it names holds afterwards, nothing where it deletes. */
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

/** What a writer meant to do and what it was told, on disk line by line, so that it outlives the writer. */
export class History {
  constructor(private readonly file: string) {}

  begin(operation: Operation): void {
    this.write({ begun: operation })
  }

  /** It was acknowledged, or found to have been carried out. */
  finish(id: string): void {
    this.write({ done: id })
  }

  /** It was found not to have been carried out. */
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

/** What each key holds after these operations. */
export function itemsAfter(operations: readonly Operation[]): Map<string, Item> {
  const items = new Map<string, Item>()
  for (const { key, item } of operations.flatMap(({ effects }) => effects)) {
    if (item) items.set(key, item)
    else items.delete(key)
  }
  return items
}
