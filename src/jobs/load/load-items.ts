import type { Item, Key } from '../../dynamodb/attribute-value.js'
import { FormatError } from '../../dynamodb/export/format-error.js'
import { parseLine } from '../../dynamodb/export/lines.js'
import { BATCH_WRITE_ITEMS } from '../../dynamodb/limits.js'
import type { WriteRequest } from '../../dynamodb/operation-types.js'
import { GraphError } from '../../schema/error.js'
import type { AbortSignalLike } from '../../store/abort-signal.js'
import type { Store } from '../../store/port.js'
import { retrying } from '../../store/retry.js'
import { itemToJson } from '../rows/item-json.js'
import { createLineSplitter, readTextRecords } from './records.js'
import { SOURCE_START } from './row-reader.js'
import type { LoadSource } from './source.js'

/** How items are loaded. */
export interface LoadItemsOptions {
  /** The names of the key attributes. */
  readonly keyNames: readonly string[]
  /** How many requests are in flight; 16 by default. */
  readonly concurrency?: number | undefined
  readonly signal?: AbortSignalLike | undefined
  /** Called after each round of requests. */
  readonly progress?: ((counts: LoadItemsCounts) => void) | undefined
}

export interface LoadItemsCounts {
  /** items that were put */
  readonly put: number
  /** items that were deleted, as an incremental export has it */
  readonly deleted: number
}

const CONCURRENCY = 16
/** A request has at most 16 MB; the text of an item is longer than the item. */
const BATCH_CHARACTERS = 8 * 1024 * 1024

/**
 * Writes the lines of exports as they are: the items of a full export, and the changes of an incremental one. The
 * sources are loaded in their order. A load that was interrupted is started again from the first source.
 */
export async function loadItems(
  store: Store,
  table: string,
  sources: readonly LoadSource[],
  options: LoadItemsOptions,
): Promise<LoadItemsCounts> {
  const loading = new ItemsLoad(retrying(store), table, options)
  for (const source of sources) await loading.load(source)
  return loading.counts
}

class ItemsLoad {
  counts: LoadItemsCounts = { put: 0, deleted: 0 }
  /** Writes of a round, by key: a request must not have a key twice. */
  private readonly round = new Map<string, WriteRequest>()
  private readonly roundItems: number
  private characters = 0

  constructor(
    private readonly store: Store,
    private readonly table: string,
    private readonly options: LoadItemsOptions,
  ) {
    this.roundItems = BATCH_WRITE_ITEMS * (options.concurrency ?? CONCURRENCY)
  }

  async load(source: LoadSource): Promise<void> {
    for await (const block of readTextRecords(source.name, source.open(0), createLineSplitter(), SOURCE_START))
      for (const { line, text, error } of block) {
        if (error) throw error
        if (text.trim() !== '') await this.add(writeOf(this.options.keyNames, source, { line, text }), text.length)
      }
    await this.flush()
  }

  private async add(write: WriteRequest, characters: number): Promise<void> {
    const key = this.keyOf(write)
    if (this.round.has(key)) await this.flush()
    this.round.set(key, write)
    this.characters += characters
    if (this.round.size >= this.roundItems || this.characters >= BATCH_CHARACTERS) await this.flush()
  }

  private keyOf({ PutRequest, DeleteRequest }: WriteRequest): string {
    return itemToJson(keyWithin(this.options.keyNames, PutRequest?.Item ?? DeleteRequest!.Key!))
  }

  private async flush(): Promise<void> {
    this.options.signal?.throwIfAborted()
    const writes = [...this.round.values()]
    this.round.clear()
    this.characters = 0
    const batches = Array.from({ length: Math.ceil(writes.length / BATCH_WRITE_ITEMS) }, (_, at) =>
      writes.slice(at * BATCH_WRITE_ITEMS, (at + 1) * BATCH_WRITE_ITEMS),
    )
    await Promise.all(batches.map(batch => this.send(batch)))
    const put = writes.filter(({ PutRequest }) => PutRequest).length
    this.counts = { put: this.counts.put + put, deleted: this.counts.deleted + writes.length - put }
    this.options.progress?.(this.counts)
  }

  private async send(batch: WriteRequest[]): Promise<void> {
    const { UnprocessedItems } = await this.store.batchWriteItem({ RequestItems: { [this.table]: batch } })
    const left = UnprocessedItems?.[this.table]?.length ?? 0
    if (left > 0)
      throw new GraphError('load.input', `load: ${left} items were throttled until the retries ended; load again.`)
  }
}

interface Line {
  readonly line: number
  readonly text: string
}

function writeOf(keyNames: readonly string[], source: LoadSource, { line, text }: Line): WriteRequest {
  try {
    const parsed = parseLine(text, source.format === 'ion' ? 'ION' : 'DYNAMODB_JSON')
    const item = 'item' in parsed ? parsed.item : parsed.change.newImage
    if (item) return { PutRequest: { Item: checked(keyNames, item) } }
    return { DeleteRequest: { Key: checked(keyNames, (parsed as { change: { keys: Key } }).change.keys) } }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    throw new GraphError(
      'load.input',
      `${source.name}, line ${line}: ${error.message}, and nothing after it was loaded; correct the line, and load again.`,
    )
  }
}

function checked(keyNames: readonly string[], item: Item): Item {
  const missing = keyNames.find(name => !Object.hasOwn(item, name))
  if (missing !== undefined) throw new FormatError(`the item has no key attribute '${missing}'`)
  return item
}

const keyWithin = (keyNames: readonly string[], item: Item): Key =>
  Object.fromEntries(keyNames.map(name => [name, item[name]!]))
