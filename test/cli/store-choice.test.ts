import { afterEach, describe, expect, it, vi } from 'vitest'
import { CommandFailure } from '../../src/cli/command-failure.js'
import { connectionFailureOf } from '../../src/cli/connection/connection-failure.js'
import { openStore } from '../../src/cli/connection/open-store.js'
import { memory } from '../../src/engine/index.js'
import { serve } from '../../src/http/index.js'
import { graph } from '../../src/index.js'
import { backfill } from '../../src/jobs/index.js'
import { temporaryFolder } from '../engine/disk/temporary-folder.js'

const TABLE = 'cinema'
const UNSET = [
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_PROFILE',
  'AWS_REGION',
  'AWS_DEFAULT_REGION',
]

/** An environment without any AWS settings. */
function withoutAws(given: Record<string, string> = {}): void {
  const nowhere = temporaryFolder()
  for (const name of UNSET) vi.stubEnv(name, undefined)
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true')
  vi.stubEnv('AWS_CONFIG_FILE', `${nowhere}/config`)
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', `${nowhere}/credentials`)
  for (const [name, value] of Object.entries(given)) vi.stubEnv(name, value)
}
afterEach(() => {
  vi.unstubAllEnvs()
})

describe('the choice of a store', () => {
  it('a folder on disk can be the store of one process at a time', async () => {
    const path = temporaryFolder()
    const { store, close } = await openStore({ path, table: TABLE })
    expect((await store.listTables({})).TableNames).toEqual([])
    const second = openStore({ path, table: TABLE })
    await expect(second).rejects.toThrow(`${path}: the folder is already open in`)
    await expect(second).rejects.toBeInstanceOf(CommandFailure)
    await close()
  })

  it('a local endpoint can be the store without credentials or a region', async () => {
    withoutAws()
    const { url, close: stop } = await serve(memory(), { port: 0 })
    const { store, close } = await openStore({ endpoint: url, table: TABLE })
    expect((await store.listTables({})).TableNames).toEqual([])
    await close()
    await stop()
  })

  it('an endpoint that rejects the credentials is reported', async () => {
    withoutAws({ AWS_ACCESS_KEY_ID: 'mine', AWS_SECRET_ACCESS_KEY: 'secret' })
    const credentials = [{ accessKeyId: 'theirs', secretAccessKey: 'secret', sessionToken: undefined }]
    const { url, close } = await serve(memory(), { port: 0, credentials })
    await expect(openStore({ endpoint: url, table: TABLE })).rejects.toThrow(`${url}: the credentials were rejected (`)
    await close()
  })
})

describe('an unreachable store', () => {
  it.each([
    [
      { endpoint: 'http://127.0.0.1:1' },
      'http://127.0.0.1:1: the connection failed (ECONNREFUSED); check that it is running, for example by `edgewise serve`, and that --endpoint is correct.',
    ],
    [{ endpoint: 'localhost' }, "--endpoint: 'localhost' is not a URL; give a URL such as 'http://127.0.0.1:8000'."],
    [{}, 'AWS: no region is configured; add --region, set AWS_REGION, or use a folder on disk with --path.'],
  ])('an unreachable store is reported for %j', async (options, message) => {
    withoutAws()
    const failed = openStore({ ...options, table: TABLE })
    await expect(failed).rejects.toThrow(message)
    await expect(failed).rejects.toBeInstanceOf(CommandFailure)
  })

  it('a store that becomes unreachable during a job is reported', async () => {
    const { url, close } = await serve(memory(), { port: 0 })
    const { store, close: end } = await openStore({ endpoint: url, table: TABLE })
    await close()
    const error = await backfill(graph(TABLE, []), store, { retry: { attempts: 1 } }).catch((reason: unknown) => reason)
    expect(connectionFailureOf(error, { endpoint: url })?.message).toContain(`${url}: the connection failed (ECONN`)
    await end()
  })

  it('missing credentials are reported', async () => {
    withoutAws()
    await expect(openStore({ region: 'eu-west-1', table: TABLE })).rejects.toThrow(
      /^AWS: no credentials were found \(.+\); set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or run 'aws configure'\.$/,
    )
  })
})
