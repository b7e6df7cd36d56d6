import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { dynamodb } from '../../src/aws/index.js'
import { graph, node, open, string } from '../../src/index.js'

const users = graph('users', [node('user', { id: string() }, { id: 'id' })])

beforeEach(() => {
  for (const name of ['AWS_REGION', 'AWS_DEFAULT_REGION', 'AWS_PROFILE', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])
    vi.stubEnv(name, undefined)
  for (const name of ['AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE']) vi.stubEnv(name, '/dev/null')
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true')
})
afterEach(() => {
  vi.unstubAllEnvs()
})

it('a missing region is reported with the setting that provides it', async () => {
  const store = dynamodb()
  await expect(open(users, store)).rejects.toMatchObject({
    code: 'store.settings',
    message: "DynamoDB: no AWS region is configured; set AWS_REGION, or pass 'region' to dynamodb().",
    cause: expect.objectContaining({ message: 'Region is missing' }),
  })
  store.destroy()
})

it('missing credentials are reported with the settings that provide them', async () => {
  const store = dynamodb({ region: 'eu-west-1' })
  await expect(open(users, store)).rejects.toMatchObject({
    code: 'store.settings',
    message: expect.stringMatching(/^DynamoDB: no AWS credentials were found; set AWS_PROFILE, or /),
  })
  store.destroy()
})
