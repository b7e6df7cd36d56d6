import { dynamodb } from '../../../src/aws/index.js'
import { follow } from '../../../src/derive/index.js'
import { campus } from './campus.js'

// Follows the table behind an endpoint until it is killed.
const [endpoint = ''] = process.argv.slice(2)
const credentials = { accessKeyId: 'a', secretAccessKey: 'b' }
const store = dynamodb({ endpoint, region: 'us-east-1', credentials })
await follow(campus, store, { create: true, leaseMs: 3000, pollMs: 50, batchSize: 20 })
process.stdout.write('following\n')
