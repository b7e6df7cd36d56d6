import { setTimeout as sleep } from 'node:timers/promises'
import { type Disk, disk } from '../../src/engine/index.js'
import { type Effect, History, itemsAfter, type Operation } from './history.js'
import { keyItem, LATER, LATER_ATTRIBUTE, TABLE } from './table.js'

const WRITERS = 8
const KEYS = 6
const { TableName } = TABLE

const [, , path, historyFile, sync, seed, diesAfter, lagMs] = process.argv
const store = disk(path!, {
  sync: sync === 'true',
  streams: { shards: 2, splitAfterRecords: 40 },
  ...(lagMs !== '0' && { indexLag: { ms: 0, jitterMs: Number(lagMs) } }),
})
const history = new History(historyFile!)
const items = itemsAfter(history.read().done)

let state = Number(seed)
/** Returns a random whole number below this one. */
function random(below: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((state / 2 ** 32) * below)
}

function effectOn(key: string, id: string, mayDelete: boolean): Effect {
  if (mayDelete && items.has(key) && random(4) === 0) return { key, item: null }
  const item = { ...keyItem(key), version: { S: id }, filling: { S: 'x'.repeat(random(500)) } }
  return {
    key,
    item: {
      ...item,
      ...(random(3) > 0 && { g: { S: `g${random(3)}` } }),
      ...(random(3) > 0 && { h: { S: `h${random(3)}` } }),
    },
  }
}

function nextOperation(writer: number, count: number): Operation {
  const id = `${seed}-${writer}-${count}`
  const key = () => `w${writer}/${random(KEYS)}`
  if (random(3) === 0) {
    const keys = new Set([key(), key(), key()])
    return { id, writer, kind: 'transaction', effects: [...keys].map(one => effectOn(one, id, true)) }
  }
  const effect = effectOn(key(), id, true)
  return { id, writer, kind: effect.item ? (random(2) === 0 ? 'put' : 'update') : 'delete', effects: [effect] }
}

const CHANGEABLE = ['version', 'filling', 'g', 'h']

/** Updates an item attribute by attribute to its intended state. */
function updateTo({ key, item }: Effect) {
  const set = CHANGEABLE.filter(name => item![name])
  const removed = CHANGEABLE.filter(name => !item![name])
  const SET = `SET ${set.map(name => `#${name} = :${name}`).join(', ')}`
  return {
    TableName,
    Key: keyItem(key),
    UpdateExpression: removed.length > 0 ? `${SET} REMOVE ${removed.map(name => `#${name}`).join(', ')}` : SET,
    ExpressionAttributeNames: Object.fromEntries(CHANGEABLE.map(name => [`#${name}`, name])),
    ExpressionAttributeValues: Object.fromEntries(set.map(name => [`:${name}`, item![name]!])),
  }
}

function send({ id, kind, effects }: Operation): Promise<unknown> {
  const [{ key, item }] = effects as [Effect]
  switch (kind) {
    case 'put':
      return store.putItem({ TableName, Item: item! })
    case 'update':
      return store.updateItem(updateTo(effects[0]!))
    case 'delete':
      return store.deleteItem({ TableName, Key: keyItem(key) })
    default:
      return store.transactWriteItems({
        ClientRequestToken: id,
        TransactItems: effects.map((effect, i) => {
          if (!effect.item) return { Delete: { TableName, Key: keyItem(effect.key) } }
          return i % 2 === 0 ? { Put: { TableName, Item: effect.item } } : { Update: updateTo(effect) }
        }),
      })
  }
}

async function writeForever(writer: number): Promise<void> {
  for (let count = 0; ; count++) {
    const operation = nextOperation(writer, count)
    history.begin(operation)
    await send(operation)
    acknowledge(operation)
    for (const { key, item } of operation.effects) {
      if (item) items.set(key, item)
      else items.delete(key)
    }
    if (writer === 0 && count % 50 === 49) await changeIndexes(store)
    if (writer === 1 && count % 20 === 19) await store.createBackup({ TableName, BackupName: 'beside' })
  }
}

let acknowledged = 0

/** Kills right after an acknowledgement, when a lost write is most likely to be noticed. */
function acknowledge({ id }: Operation): void {
  history.finish(id)
  acknowledged++
  if (acknowledged === 1) process.stdout.write('writing\n')
  if (acknowledged === Number(diesAfter)) process.kill(process.pid, 'SIGKILL')
}

async function changeIndexes(changed: Disk): Promise<void> {
  const { Table } = await changed.describeTable({ TableName })
  const exists = Table!.GlobalSecondaryIndexes!.some(({ IndexName }) => IndexName === LATER.IndexName)
  await changed.updateTable({
    TableName,
    ...(!exists && { AttributeDefinitions: [LATER_ATTRIBUTE] }),
    GlobalSecondaryIndexUpdates: [exists ? { Delete: { IndexName: LATER.IndexName } } : { Create: LATER }],
  })
}

if ((await store.listTables({})).TableNames!.length === 0) await store.createTable(TABLE)
await store.updateContinuousBackups({
  TableName,
  PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
})
// No write happens in the millisecond of the start, so that it can be restored as empty.
await sleep(2)
await Promise.all(Array.from({ length: WRITERS }, (_, writer) => writeForever(writer)))
