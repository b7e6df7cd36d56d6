import { execFileSync } from 'node:child_process'
import { disk } from '../../../../src/engine/index.js'

/** Writes until there is no room, closes and opens the folder, is given room, and tells what came of it. */
const TableName = 'filled'
const path = process.argv[2]!
// What is beyond the limit is to fail, as it does on a disk that is full.
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
