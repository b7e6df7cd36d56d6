import { writeSync } from 'node:fs'
import { disk } from '../../src/engine/index.js'
import { keyItem, keyText, TABLE } from './table.js'

/** Prints the failed writes with their errors, and the stored writes. */
const store = disk(process.argv[2]!)
const { TableName } = TABLE
await store.createTable(TABLE)
const failed: Record<string, string> = {}
for (let i = 0; i < 20; i++) {
  const key = `unflushed/${i}`
  await store.putItem({ TableName, Item: keyItem(key) }).catch((error: Error) => {
    failed[key] = error.message
  })
}
const { Items } = await store.scan({ TableName })
const { Table } = await store.describeTable({ TableName })
writeSync(1, JSON.stringify({ failed, there: Items!.map(keyText), count: Table!.ItemCount }))
await store.close()
