import type { Difference } from './difference.js'
import { keyParts, type TableShape } from './random/tables.js'
import { byText, type Plain, plain, textOf } from './sides/outcome.js'
import { ask } from './sides/send-call.js'
import type { Side } from './sides/side.js'

type Member = Record<string, unknown>

/** Returns all items of a table or index. */
export async function itemsOf(side: Side, TableName: string, IndexName?: string): Promise<Member[]> {
  const items: Member[] = []
  let ExclusiveStartKey: unknown
  do {
    const request = {
      TableName,
      ...(IndexName !== undefined && { IndexName }),
      ...(ExclusiveStartKey !== undefined && { ExclusiveStartKey }),
    }
    const page = (await side.send('scan', request)) as { Items: Member[]; LastEvaluatedKey?: unknown }
    items.push(...page.Items)
    ExclusiveStartKey = page.LastEvaluatedKey
  } while (ExclusiveStartKey !== undefined)
  return items
}

/** Returns the differences between the items of a table and its indexes on both sides. */
export async function leftDifferences(ours: Side, theirs: Side, table: TableShape): Promise<Difference[]> {
  const found: Difference[] = []
  for (const index of [undefined, ...table.indexes.map(({ name }) => name)]) {
    const [mine, other] = await Promise.all([ours, theirs].map(side => itemsOf(side, table.name, index)))
    const [a, b] = [mine!.map(item => plain(item)).sort(byText), other!.map(item => plain(item)).sort(byText)]
    if (textOf(a) !== textOf(b)) found.push({ at: index === undefined ? 'left' : 'leftInIndex', ours: a, theirs: b })
  }
  return found
}

/** Returns the keys of items that differ between the sides, after overwriting them with this engine's items. */
export async function overwriteDifferences(ours: Side, theirs: Side, table: TableShape): Promise<Plain[]> {
  const names = keyParts(table).map(({ name }) => name)
  const keyOf = (item: Member) => Object.fromEntries(names.map(name => [name, item[name]]))
  const byKey = async (side: Side) =>
    new Map((await itemsOf(side, table.name)).map(item => [textOf(plain(keyOf(item))), item]))
  const [mine, other] = await Promise.all([byKey(ours), byKey(theirs)])
  const touched: Plain[] = []
  for (const id of new Set([...mine.keys(), ...other.keys()])) {
    const [item, theirItem] = [mine.get(id), other.get(id)]
    if (item && theirItem && textOf(plain(item)) === textOf(plain(theirItem))) continue
    const Key = keyOf((item ?? theirItem)!)
    touched.push(plain(Key))
    const deletion = { operation: 'deleteItem', request: { TableName: table.name, Key } } as const
    const put = { operation: 'putItem', request: { TableName: table.name, Item: item } } as const
    const { refusal } = await ask(theirs, item ? put : deletion)
    if (!refusal) continue
    await ask(ours, deletion)
    await ask(theirs, deletion)
  }
  return touched
}
