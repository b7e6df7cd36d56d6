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
  readonly cors?: readonly string[]
  readonly allowHost?: readonly string[]
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
  const { port, host, region, path, signed, cors, allowHost: allowHosts, json, heat } = command
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
    cors,
    allowHosts,
    pages: heat ? { '/heat': () => heatOf(store) } : {},
    onFailure: error => console.error(error),
    onWarning: message => console.error(`Warning: ${message}`),
  }).catch((error: NodeJS.ErrnoException): never => {
    throw failureOf(error, host, port)
  })
  console.log(json ? JSON.stringify({ url: serving.url, port: serving.port }) : announced(serving, path))
  await stopped
  await serving.close()
  if (heat) await tellHeat(store, json)
  await onDisk?.close()
}

/** A delay lasts at least half of the given time; the seed chooses how much of the other half it adds. */
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

const announced = ({ url }: Serving, path = 'memory') =>
  `DynamoDB endpoint ready at ${url} (data in ${path}). Press Ctrl-C to stop.`

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
    throw new Failure('--signed: AWS_ACCESS_KEY_ID or AWS_SECRET_ACCESS_KEY is not set; set both in the environment.')
  return { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY, sessionToken: AWS_SESSION_TOKEN }
}

function tlsOf({ tlsKey, tlsCert }: ServeCommand): ServeOptions['tls'] {
  if (tlsKey === undefined && tlsCert === undefined) return undefined
  if (tlsKey === undefined || tlsCert === undefined)
    throw new Failure('--tls-key: HTTPS requires a private key and its certificate; give --tls-key and --tls-cert.')
  const [key, cert] = [tlsKey, tlsCert].map(file => {
    try {
      return readFileSync(file)
    } catch (error) {
      throw new Failure(
        `${file}: the file cannot be read (${(error as Error).message}); check the path and its permissions.`,
      )
    }
  })
  try {
    createSecureContext({ key, cert })
  } catch (error) {
    throw new Failure(
      `${tlsKey}: this is not the private key of the certificate ${tlsCert} (${(error as Error).message}); give a pair, both as PEM.`,
    )
  }
  return { key: key!, cert: cert! }
}

function failureOf(error: NodeJS.ErrnoException, host: string, port: number): Failure {
  switch (error.code) {
    case 'EADDRINUSE':
      return new Failure(
        `port ${port} of ${host}: another process uses it; stop that process, or choose another port with --port.`,
      )
    case 'EACCES':
      return new Failure(
        `port ${port} of ${host}: this user may not listen on it; choose a port from 1024 with --port.`,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new Failure(`--host: this machine does not have the address ${host}; give one of its addresses.`)
    default:
      if (error instanceof TypeError) return new Failure(error.message)
      return new Failure(`port ${port} of ${host}: cannot listen (${error.message}); check --host and --port.`)
  }
}
