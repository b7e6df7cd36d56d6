import { DynamoDB } from '@aws-sdk/client-dynamodb'

/** A client of another implementation, at the address in the environment. */
export function witnessClient(variable: string, command: string): DynamoDB {
  const endpoint = process.env[variable]
  if (!endpoint) throw new Error(`${variable} has no address: run this by \`npm run ${command}\``)
  const accessKeyId = crypto.randomUUID().replaceAll('-', '')
  const credentials = { accessKeyId, secretAccessKey: 'any' }
  return new DynamoDB({ endpoint, region: 'us-east-1', credentials, maxAttempts: 1 })
}
