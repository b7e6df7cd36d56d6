import { execFileSync } from 'node:child_process'
import { disk } from '../../../../src/engine/index.js'

/** Writes until the disk is full, closes and reopens the folder, gets more space, and reports the results. */
const TableName = 'filled'
const path = process.argv[2]!
// Writes beyond the limit must fail like on a full disk instead of ending the process.
process.on('SIGXFSZ', () => {})
let store = disk(path)
await store.createTable({
  TableName,
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'N' }],
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
  BillingMode: 'PAY_PER_REQUEST',
})

const put = (n: number) =>
  store.putItem({ TableName, Item: { pk: { N: String(n) }, filling: { S: 'x'.repeat(100_000) } } })

let acknowledged = 0
let message = ''
while (message === '') {
  await put(acknowledged).then(
    () => acknowledged++,
    (error: Error) => {
      message = error.message
    },
  )
}
const again = await put(acknowledged).catch((error: Error) => error.message)
const full = (await store.describeTable({ TableName })).Table!.ItemCount
await store.close()
store = disk(path)
execFileSync('prlimit', ['--pid', String(process.pid), '--fsize=unlimited'])
await put(acknowledged++)
await store.close()
process.stdout.write(JSON.stringify({ acknowledged, full, message, again }))
