import { writeSync } from 'node:fs'
import { disk } from '../../src/engine/index.js'
import { keyItem, TABLE } from './table.js'

/** Prints a line when it sends a write and when the write is acknowledged. */
const [, , path, sync] = process.argv
const store = disk(path!, { sync: sync === 'true' })
await store.createTable(TABLE)
for (let i = 0; i < 5; i++) {
  writeSync(1, 'sent\n')
  await store.putItem({ TableName: TABLE.TableName, Item: keyItem(`spoken/${i}`) })
  writeSync(1, 'acknowledged\n')
}
const together = Array.from({ length: 100 }, (_, i) => keyItem(`together/${i}`))
writeSync(1, 'together\n')
await Promise.all(together.map(Item => store.putItem({ TableName: TABLE.TableName, Item })))
writeSync(1, 'acknowledged\n')
await store.close()
