import { it } from 'vitest'
import { dynamodb } from '../../src/aws/index.js'
import { equalsModel, equalsModelUnderFaults, runs } from '../graph/model/suite.js'
import { embedded, localClient } from './local.js'

it("any operations on any graph in DynamoDB Local, by the AWS SDK's client as it is, answer as plain rows do", async () => {
  await equalsModel(() => embedded(localClient()), 25, runs(12))
})

it('whatever fails on its way to DynamoDB Local is wholly done or not at all', async () => {
  await equalsModelUnderFaults(() => embedded(dynamodb({ client: localClient() })), 20, runs(12))
})
