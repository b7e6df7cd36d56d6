import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { expect, it, vi } from 'vitest'
import { createAwsService } from '../../src/aws/commands.js'

// The SDK before it had vector searches.
vi.mock('@aws-sdk/client-dynamodb', async importOriginal => ({
  ...(await importOriginal<object>()),
  SearchVectorsCommand: undefined,
}))

it('an SDK without vector searches has all other operations', () => {
  const service = createAwsService(new DynamoDBClient({ region: 'eu-west-1' }))
  expect(service.searchVectors).toBeUndefined()
  expect(Object.values(service)).toHaveLength(53)
  expect(service.updateTable).toBeTypeOf('function')
})
