import { DynamoDB, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocument, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { type AwsStore, dynamodb } from '../../src/aws/index.js'
import type { Service, Store, Streams } from '../../src/store/port.js'

export const stores: readonly AwsStore[] = [
  dynamodb(),
  dynamodb({ region: 'eu-west-1', endpoint: 'http://127.0.0.1:8000', requestHandler: { requestTimeout: 500 } }),
  dynamodb({ client: new DynamoDB({}) }),
  dynamodb({ client: new DynamoDBClient({}) }),
  dynamodb({ client: DynamoDBDocumentClient.from(new DynamoDBClient({})) }),
  dynamodb({ client: DynamoDBDocument.from(new DynamoDB({})), streamsEndpoint: 'http://127.0.0.1:8000' }),
]

export const store: Store = dynamodb()
export const service: Service & Streams = dynamodb()

// @ts-expect-error a client must be passed as `client`
dynamodb(new DynamoDBClient({}))

// @ts-expect-error an existing client has its own region
dynamodb({ client: new DynamoDBClient({}), region: 'eu-west-1' })

// @ts-expect-error this value is not a client
dynamodb({ client: {} })

// @ts-expect-error open() configures the retries
dynamodb({ maxAttempts: 3 })
