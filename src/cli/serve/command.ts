import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import {
  type Disk,
  type DiskOptions,
  disk,
  type EmbeddedStore,
  type MemoryOptions,
  memory,
} from '../../engine/index.js'
import { type Credentials, type ServedStore, type ServeOptions, serve } from '../../http/index.js'
import { CommandFailure } from '../command-failure.js'
import { toReadFailure } from '../files/file-failures.js'
import { print, printJson } from '../terminal/output.js'
import { waitForStopSignal } from '../terminal/stop-signal.js'
import { formatHeat, readHeat } from './heat-report.js'

interface ServeCommandOptions {
  readonly port: number
  readonly host: string
  readonly region: string
  readonly path?: string
  readonly exports?: string
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

/** Serves until a signal stops the process. */
export async function serveCommand(command: ServeCommandOptions): Promise<void> {
  const { port, host, region, path, signed, cors, allowHost: allowHosts, json, heat } = command
  const credentials = signed ? [credentialsFromEnvironment()] : undefined
  const tls = readTlsFiles(command)
  const diskStore = path === undefined ? undefined : openDisk(path, engineOptions(command))
  const store = diskStore ?? memory(engineOptions(command))
  const stopped = waitForStopSignal()
  const served = await serve(store, {
    port,
    host,
    region,
    credentials,
    tls,
    cors,
    allowHosts,
    pages: heat ? { '/heat': () => readHeat(store) } : {},
    onFailure: error => console.error(error),
    onWarning: message => console.error(`Warning: ${message}`),
  }).catch((error: NodeJS.ErrnoException): never => {
    throw listenFailureOf(error, host, port)
  })
  console.log(json ? JSON.stringify({ url: served.url, port: served.port }) : formatReadyMessage(served, path))
  await stopped
  await served.close()
  if (heat) await printHeat(store, json)
  await diskStore?.close()
}

/** A delay takes at least half of the given time; the seed chooses the share of the other half. */
function engineOptions(command: ServeCommandOptions): MemoryOptions {
  const { region, lag, transitions: transitionMs = 0, throttle = false, heat = false, seed = 0, exports } = command
  const half = Math.floor((lag ?? 0) / 2)
  const delay = { ms: half, jitterMs: (lag ?? 0) - half }
  return {
    region,
    transitionMs,
    throttle,
    heat,
    seed,
    exports,
    ...(lag !== undefined && { indexLag: delay, streams: { lag: delay } }),
  }
}

async function printHeat(store: EmbeddedStore, json: boolean | undefined): Promise<void> {
  const heat = await readHeat(store)
  if (json) printJson(heat)
  else print(formatHeat(heat))
}

const formatReadyMessage = ({ url }: ServedStore, path = 'memory') =>
  `DynamoDB endpoint ready at ${url} (data in ${path}). Press Ctrl-C to stop.`

function openDisk(path: string, options: DiskOptions): Disk {
  try {
    return disk(path, options)
  } catch (error) {
    throw new CommandFailure((error as Error).message)
  }
}

function credentialsFromEnvironment(): Credentials {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY)
    throw new CommandFailure(
      '--signed: AWS_ACCESS_KEY_ID or AWS_SECRET_ACCESS_KEY is not set; set both in the environment.',
    )
  return { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY, sessionToken: AWS_SESSION_TOKEN }
}

function readTlsFiles({ tlsKey, tlsCert }: ServeCommandOptions): ServeOptions['tls'] {
  if (tlsKey === undefined && tlsCert === undefined) return undefined
  if (tlsKey === undefined || tlsCert === undefined)
    throw new CommandFailure(
      '--tls-key: HTTPS requires a private key and its certificate; give --tls-key and --tls-cert.',
    )
  const [key, cert] = [tlsKey, tlsCert].map(file => {
    try {
      return readFileSync(file)
    } catch (error) {
      throw toReadFailure(file, error as NodeJS.ErrnoException)
    }
  })
  try {
    createSecureContext({ key, cert })
  } catch (error) {
    throw new CommandFailure(
      `${tlsKey}: this is not the private key of the certificate ${tlsCert} (${(error as Error).message}); give a pair, both as PEM.`,
    )
  }
  return { key: key!, cert: cert! }
}

function listenFailureOf(error: NodeJS.ErrnoException, host: string, port: number): CommandFailure {
  switch (error.code) {
    case 'EADDRINUSE':
      return new CommandFailure(
        `port ${port} of ${host}: another process uses it; stop that process, or choose another port with --port.`,
      )
    case 'EACCES':
      return new CommandFailure(
        `port ${port} of ${host}: this user may not listen on it; choose a port from 1024 with --port.`,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new CommandFailure(`--host: this machine does not have the address ${host}; give one of its addresses.`)
    default:
      if (error instanceof TypeError) return new CommandFailure(error.message)
      return new CommandFailure(`port ${port} of ${host}: cannot listen (${error.message}); check --host and --port.`)
  }
}
