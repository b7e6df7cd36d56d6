import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Client, load, workloads } from './endpoint-load.js'
import { DYNOXIDE, PEERS } from './endpoint-peers.js'
import { type Command, ServerProcess } from './endpoint-process.js'
import { SMALL } from './engine-work.js'
import type { Work } from './measure.js'

export const DYNAMODB_LOCAL = 'DynamoDB Local'

/** A server with items on disk that is queried over HTTP. */
export interface Server {
  readonly name: string
  readonly works: Record<string, Work>
  /** Returns the processor time so far. */
  cpuMs(): number
  close(): Promise<void>
}

/** Both servers flush every write, as a trace of their system calls shows. Neither has a setting for it. */
export async function serversOnDisk(folder: string, inFlight: number): Promise<Server[]> {
  const servers: Server[] = []
  for (const name of [DYNAMODB_LOCAL, DYNOXIDE])
    try {
      servers.push(await server(name, resolve(folder, name), inFlight))
    } catch (error) {
      console.log(`${name} is left out: it cannot be had here (${String(error).split('\n')[0]})`)
    }
  return servers
}

async function server(name: string, folder: string, inFlight: number): Promise<Server> {
  mkdirSync(folder, { recursive: true })
  const process = await ServerProcess.start(onDisk(PEERS.find(peer => peer.name === name)!.get(), folder))
  await load(process.url, SMALL)
  const client = new Client(process.url, inFlight)
  const makers = Object.entries(workloads(SMALL))
  return {
    name,
    works: Object.fromEntries(makers.map(([label, make]) => [label, () => client.send(make())])),
    cpuMs: () => process.cpuMs(),
    async close() {
      await client.close()
      await process.stop()
    },
  }
}

function onDisk(command: Command, folder: string): Command {
  const path = join(folder, 'items.db')
  return {
    ...command,
    words: port => {
      const words = command.words(port)
      if (!words.includes('-inMemory')) return [...words, '--db-path', path]
      return words.flatMap(word => (word === '-inMemory' ? ['-sharedDb', '-dbPath', folder] : [word]))
    },
  }
}
