import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Endpoint } from './endpoint.js'
import { Lane, type LaneSettings, type Lanes } from './lane.js'
import type { RequestIds } from './request-ids.js'

/** Puts the new connections of a server of Node's on lanes, from which they come back to it when need be. */
export class Connections implements Lanes {
  stopping = false
  private readonly open = new Set<Lane>()
  private readonly takers: readonly ((socket: Socket) => void)[]

  constructor(
    private readonly server: Server,
    readonly endpoint: Endpoint,
    readonly ids: RequestIds,
    readonly settings: LaneSettings,
  ) {
    this.takers = server.listeners('connection') as ((socket: Socket) => void)[]
    server.removeAllListeners('connection')
    server.on('connection', socket => {
      this.open.add(new Lane(socket, this))
    })
  }

  handOver(socket: Socket, bytes: Buffer): void {
    socket.unshift(bytes)
    for (const take of this.takers) take.call(this.server, socket)
  }

  closed(lane: Lane): void {
    this.open.delete(lane)
  }

  /** Closes what is idle, and everything else behind its answer. */
  stop(): void {
    this.stopping = true
    for (const lane of this.open) lane.stop()
  }

  destroy(): void {
    for (const lane of this.open) lane.destroy()
  }
}
