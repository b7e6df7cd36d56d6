import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { disk } from '../../../../src/engine/index.js'

/** Writes until the mounted disk is full, removes a file to free space, and continues. */
const TableName = 'filled'
const mounted = process.argv[2]!
const ballast = join(mounted, 'ballast')
writeFileSync(ballast, Buffer.alloc(1024 * 1024, 1))
const path = join(mounted, 'data')
const store = disk(path)
await store.createTable({
  TableName,
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'N' }],
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  BillingMode: 'PAY_PER_REQUEST',
})

const put = (n: number) =>
  store.putItem({ TableName, Item: { pk: { N: String(n) }, filling: { S: 'x'.repeat(100_000) } } })

const messages: string[] = []
let acknowledged = 0
for (let n = 0; n < 100 && messages.length < 2; n++)
  await put(n).then(
    () => acknowledged++,
    (error: Error) => messages.push(error.message),
  )
rmSync(ballast)
const afterwards = await put(1000).then(
  () => 'written',
  (error: Error) => error.message,
)
await store.close()
process.stdout.write(JSON.stringify({ path, messages, acknowledged, afterwards }))
