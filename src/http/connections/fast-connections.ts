import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { StoreEndpoint } from '../endpoint.js'
import type { RequestIds } from '../request-ids.js'
import { FastConnection, type FastConnectionContext, type FastConnectionSettings } from './fast-connection.js'

/** Accepts the new connections of a Node server as fast connections, and returns them to the server when necessary. */
export class FastConnections implements FastConnectionContext {
  isStopping = false
  private readonly openConnections = new Set<FastConnection>()
  private readonly nodeListeners: readonly ((socket: Socket) => void)[]

  constructor(
    private readonly server: Server,
    readonly endpoint: StoreEndpoint,
    readonly ids: RequestIds,
    readonly settings: FastConnectionSettings,
  ) {
    this.nodeListeners = server.listeners('connection') as ((socket: Socket) => void)[]
    server.removeAllListeners('connection')
    server.on('connection', socket => {
      this.openConnections.add(new FastConnection(socket, this))
    })
  }

  handOverToNode(socket: Socket, bytes: Buffer): void {
    socket.unshift(bytes)
    for (const listener of this.nodeListeners) listener.call(this.server, socket)
  }

  removeClosed(lane: FastConnection): void {
    this.openConnections.delete(lane)
  }

  /** Closes idle connections at once, and every other connection after its response. */
  stop(): void {
    this.isStopping = true
    for (const lane of this.openConnections) lane.stop()
  }

  destroy(): void {
    for (const lane of this.openConnections) lane.destroy()
  }
}
