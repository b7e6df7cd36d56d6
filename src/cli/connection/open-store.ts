import type { Service, Store, Streams } from '../../store/port.js'
import { CommandFailure } from '../command-failure.js'
import type { StoreOptions } from '../options.js'
import { connectionFailureOf } from './connection-failure.js'

export interface OpenedStore {
  readonly store: Service & Streams
  close(): Promise<void>
}

/**
 * Opens the store that the options select: a folder on disk, an endpoint, or AWS as the SDK finds it. A first request
 * about the table, which may be missing, reports an unreachable store before any other work. Only commands that create
 * tables create a missing folder; for others, a folder that is missing or contains other files has no table and stays
 * unchanged.
 */
export async function openStore(
  options: StoreOptions & { readonly table: string },
  createsFolder = true,
): Promise<OpenedStore> {
  if (options.path !== undefined) return openFolder(options.path, options.region, createsFolder)
  const opened = await openService(options)
  await assertReachable(opened.store, options)
  return opened
}

async function openFolder(path: string, region: string | undefined, createsFolder: boolean): Promise<OpenedStore> {
  const { disk, memory } = await import('../../engine/index.js')
  const { isNoData } = await import('../../engine/keyvalues/lmdb/folder-format.js')
  if (!createsFolder && isNoData(path)) return { store: memory(), close: async () => undefined }
  try {
    const store = disk(path, region === undefined ? {} : { region })
    return { store, close: () => store.close() }
  } catch (error) {
    throw new CommandFailure((error as Error).message)
  }
}

async function openService({ endpoint, region: givenRegion }: StoreOptions): Promise<OpenedStore> {
  // The user did not choose the Node version for this command, so the SDK's warning about it is noise.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
  const { dynamodb } = await import('../../aws/index.js').catch((error: unknown) => {
    if ((error as { code?: string }).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new CommandFailure(
      "AWS SDK: the package '@aws-sdk/client-dynamodb' is not installed, but AWS and --endpoint require it; run 'npm install @aws-sdk/client-dynamodb'.",
    )
  })
  const local = endpoint !== undefined && isLocal(endpoint)
  const region = givenRegion ?? (local ? (process.env.AWS_REGION ?? LOCAL_REGION) : undefined)
  const store = dynamodb({
    ...(endpoint !== undefined && { endpoint }),
    ...(region !== undefined && { region }),
    // A local endpoint accepts any credentials, but the SDK sends nothing without credentials.
    ...(local && !process.env.AWS_ACCESS_KEY_ID && { credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }),
  })
  return { store, close: async () => store.destroy() }
}

const LOCAL_REGION = 'us-east-1'
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

function isLocal(endpoint: string): boolean {
  if (!URL.canParse(endpoint) || !/^https?:/.test(endpoint))
    throw new CommandFailure(`--endpoint: '${endpoint}' is not a URL; give a URL such as 'http://127.0.0.1:8000'.`)
  return LOOPBACK.test(new URL(endpoint).hostname)
}

/** Any response shows that the store is reachable. */
async function assertReachable(store: Store, options: StoreOptions & { readonly table: string }): Promise<void> {
  try {
    await store.describeTable({ TableName: options.table })
  } catch (error) {
    const failure = connectionFailureOf(error, options)
    if (failure) throw failure
  }
}
