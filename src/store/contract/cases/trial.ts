import type { AttributeValue, Item, Key } from '../../../dynamodb/attribute-value.js'
import type { UpdateItemAnswer, UpdateItemRequest } from '../../../dynamodb/operations/items.js'
import type { Store } from '../../port.js'
import type { Bench } from '../bench.js'
import { same } from '../expect.js'

/** What stands for names and values in an expression: `#alias` to a name, `:value` to a value. */
export type Given = Readonly<Record<string, string | AttributeValue>>

interface Placeholders {
  ExpressionAttributeNames?: Record<string, string>
  ExpressionAttributeValues?: Record<string, AttributeValue>
}

export function placeholders(given: Given): Placeholders {
  const names: Record<string, string> = {}
  const values: Record<string, AttributeValue> = {}
  for (const [placeholder, meant] of Object.entries(given)) {
    if (typeof meant === 'string') names[placeholder] = meant
    else values[placeholder] = meant
  }
  return {
    ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  }
}

/** An answer is exactly this, beside what a transport adds to it. */
export async function answered(call: Promise<object>, expected: object): Promise<void> {
  const { $metadata: _, ...answer } = (await call) as { $metadata?: unknown }
  same(answer, expected)
}

/** One item of a case's own, without its key in what is given and answered. */
export class Trial {
  private constructor(
    readonly store: Store,
    readonly TableName: string,
    readonly Key: Key,
  ) {}

  /** An item of the shared table `hash`. */
  static async of(bench: Bench, attributes?: Item): Promise<Trial> {
    const trial = new Trial(bench.store, await bench.table('hash'), { pk: { S: bench.unique() } })
    if (attributes) await trial.put(attributes)
    return trial
  }

  /** An item of the shared table `composite`, which has indexes. */
  static async indexed(bench: Bench, attributes?: Item): Promise<Trial> {
    const Key = { pk: { S: bench.unique() }, sk: { S: bench.unique('sort') } }
    const trial = new Trial(bench.store, await bench.table('composite'), Key)
    if (attributes) await trial.put(attributes)
    return trial
  }

  item(attributes: Item = {}): Item {
    return { ...this.Key, ...attributes }
  }

  async put(attributes: Item): Promise<void> {
    await this.store.putItem({ TableName: this.TableName, Item: this.item(attributes) })
  }

  /** What is stored now; undefined where there is no item. */
  async attributes(): Promise<Item | undefined> {
    const { TableName, Key } = this
    const { Item } = await this.store.getItem({ TableName, Key, ConsistentRead: true })
    return Item && this.withoutKey(Item)
  }

  withoutKey(item: Item): Item {
    return Object.fromEntries(Object.entries(item).filter(([name]) => !Object.hasOwn(this.Key, name)))
  }

  update(
    UpdateExpression: string | undefined,
    given: Given = {},
    more: Partial<UpdateItemRequest> = {},
  ): Promise<UpdateItemAnswer> {
    const { TableName, Key } = this
    return this.store.updateItem({ TableName, Key, UpdateExpression, ...placeholders(given), ...more })
  }

  /** The item after an update, the same in the answer as in the table. */
  async updated(UpdateExpression: string, given: Given = {}): Promise<Item> {
    const { Attributes = {} } = await this.update(UpdateExpression, given, { ReturnValues: 'ALL_NEW' })
    const stored = await this.attributes()
    same(this.withoutKey(Attributes), stored)
    return stored!
  }

  /** What a projection gives of the item. */
  async projected(ProjectionExpression: string, given: Given = {}): Promise<Item | undefined> {
    const { TableName, Key } = this
    const request = { TableName, Key, ConsistentRead: true, ProjectionExpression, ...placeholders(given) }
    return (await this.store.getItem(request)).Item
  }
}
