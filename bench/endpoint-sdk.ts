import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { type Costs, costOf, medianCost, ROUNDS, type Servers } from './endpoint-cost.js'
import { itemAt, TABLE } from './engine-data.js'

/** Measures the same GetItem through the AWS SDK's client, which causes most of the latency. */
export async function measuredBySdk(servers: Servers): Promise<Costs> {
  const costs = new Map()
  for (const [name, server] of servers) {
    const credentials = { accessKeyId: 'bench', secretAccessKey: 'bench' }
    const client = new DynamoDB({ endpoint: server.url, region: 'us-east-1', credentials })
    const { pk, sk } = itemAt(42)
    const send = () => client.getItem({ TableName: TABLE, Key: { pk: pk!, sk: sk! } })
    const rounds = []
    for (let round = 0; round <= ROUNDS; round++) rounds.push(await costOf(server, send, 1))
    costs.set(name, medianCost(rounds.slice(1)))
    client.destroy()
  }
  return costs
}
