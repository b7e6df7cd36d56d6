import { social } from '../../examples/social/graph.js'
import { dynamodb } from '../../src/aws/index.js'
import { follow } from '../../src/derive/index.js'
import { describeSocial } from '../examples/social/suite.js'
import { embedded, localClient } from './local-client.js'

describeSocial(
  () => embedded(dynamodb({ client: localClient() })),
  store => follow(social, store, { create: true, pollMs: 50 }),
)
