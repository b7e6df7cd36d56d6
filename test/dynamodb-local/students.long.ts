import { expect, it } from 'vitest'
import { rename } from '../../examples/students/rename.js'
import { dynamodb } from '../../src/aws/index.js'
import { RENAMED } from '../examples/rename-result.js'
import { localClient } from './local-client.js'

it('a rename of a student updates every class on DynamoDB Local', async () => {
  expect(await rename(dynamodb({ client: localClient() }))).toMatchObject(RENAMED)
}, 60_000)
