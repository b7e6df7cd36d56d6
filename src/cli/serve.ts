import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { type Disk, type DiskOptions, disk, type Embedded, type MemoryOptions, memory } from '../engine/index.js'
import { type Credentials, type ServeOptions, type Serving, serve } from '../http/index.js'
import { Failure } from './failure.js'
import { heatOf, heatText } from './heat.js'
import { print, printJson } from './output.js'
import { stopSignal } from './stop-signal.js'

interface ServeCommand {
  readonly port: number
  readonly host: string
  readonly region: string
  readonly path?: string
  readonly signed?: boolean
  readonly tlsKey?: string
  readonly tlsCert?: string
  readonly json?: boolean
  readonly lag?: number
  readonly transitions?: number
  readonly throttle?: boolean
  readonly heat?: boolean
  readonly seed?: number
}

/** Serves until the process is told to stop. */
export async function serveCommand(command: ServeCommand): Promise<void> {
  const { port, host, region, path, signed, json, heat } = command
  const credentials = signed ? [fromEnvironment()] : undefined
  const tls = tlsOf(command)
  const onDisk = path === undefined ? undefined : openDisk(path, engineOptions(command))
  const store = onDisk ?? memory(engineOptions(command))
  const stopped = stopSignal()
  const serving = await serve(store, {
    port,
    host,
    region,
    credentials,
    tls,
    pages: heat ? { '/heat': () => heatOf(store) } : {},
    onFailure: error => console.error(error),
  }).catch((error: NodeJS.ErrnoException): never => {
    throw failureOf(error, host, port)
  })
  console.log(json ? JSON.stringify({ url: serving.url, port: serving.port }) : announced(serving, path))
  await stopped
  await serving.close()
  if (heat) await tellHeat(store, json)
  await onDisk?.close()
}

/** What lags does so for half of the given time at least, and the seed chooses how much of the other half. */
function engineOptions(command: ServeCommand): MemoryOptions {
  const { region, lag, transitions: transitionMs = 0, throttle = false, heat = false, seed = 0 } = command
  const half = Math.floor((lag ?? 0) / 2)
  const delay = { ms: half, jitterMs: (lag ?? 0) - half }
  return {
    region,
    transitionMs,
    throttle,
    heat,
    seed,
    ...(lag !== undefined && { indexLag: delay, streams: { lag: delay } }),
  }
}

async function tellHeat(store: Embedded, json: boolean | undefined): Promise<void> {
  const heat = await heatOf(store)
  if (json) printJson(heat)
  else print(heatText(heat))
}

const announced = ({ url }: Serving, path = 'memory') => `${url} answers as DynamoDB, from ${path}. Ctrl-C stops it.`

function openDisk(path: string, options: DiskOptions): Disk {
  try {
    return disk(path, options)
  } catch (error) {
    throw new Failure((error as Error).message)
  }
}

function fromEnvironment(): Credentials {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY)
    throw new Failure('--signed needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment')
  return { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY, sessionToken: AWS_SESSION_TOKEN }
}

function tlsOf({ tlsKey, tlsCert }: ServeCommand): ServeOptions['tls'] {
  if (tlsKey === undefined && tlsCert === undefined) return undefined
  if (tlsKey === undefined || tlsCert === undefined)
    throw new Failure('--tls-key and --tls-cert go together: give both')
  const [key, cert] = [tlsKey, tlsCert].map(file => {
    try {
      return readFileSync(file)
    } catch (error) {
      throw new Failure(`${file} cannot be read: ${(error as Error).message}`)
    }
  })
  try {
    createSecureContext({ key, cert })
  } catch (error) {
    throw new Failure(
      `${tlsKey} and ${tlsCert} are no key and certificate that go together: ${(error as Error).message}`,
    )
  }
  return { key: key!, cert: cert! }
}

function failureOf(error: NodeJS.ErrnoException, host: string, port: number): Failure {
  switch (error.code) {
    case 'EADDRINUSE':
      return new Failure(`port ${port} of ${host} is in use: stop what listens there, or give another with --port`)
    case 'EACCES':
      return new Failure(`port ${port} of ${host} is not open to this user: give one from 1024 with --port`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new Failure(`this machine has no address ${host}: give one of its own with --host`)
    default:
      return new Failure(`cannot listen on port ${port} of ${host}: ${error.message}`)
  }
}
