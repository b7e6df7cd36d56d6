import { writeSync } from 'node:fs'
import { disk } from '../../src/engine/index.js'
import { keyItem, keyText, TABLE } from './table.js'

/** Prints the acknowledged writes and the items that are read after all writes. */
const store = disk(process.argv[2]!)
const { TableName } = TABLE
await store.createTable(TABLE)
const acknowledged: string[] = []
for (let i = 0; i < 20; i++) {
  const key = `written/${i}`
  await store.putItem({ TableName, Item: keyItem(key) }).then(
    () => acknowledged.push(key),
    () => {},
  )
}
const read = await store.scan({ TableName }).then(
  ({ Items }) => Items!.map(keyText).sort(),
  (error: Error) => error.message,
)
await store.close()
writeSync(1, JSON.stringify({ acknowledged: acknowledged.sort(), read }))
