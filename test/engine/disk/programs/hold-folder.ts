import { disk } from '../../../../src/engine/index.js'

/** Writes to a folder and keeps it open until the process is ended. */
const store = disk(process.argv[2]!)
await store.createTable({
  TableName: 'held',
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  BillingMode: 'PAY_PER_REQUEST',
})
await store.putItem({ TableName: 'held', Item: { pk: { S: 'one' } } })
process.stdout.write('open\n')
process.stdin.resume()
