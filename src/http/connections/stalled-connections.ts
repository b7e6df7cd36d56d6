import type { Duplex } from 'node:stream'

/**
 * Closes connections without any progress during the idle time. Otherwise a client that does not read its response
 * could keep it in memory indefinitely. A connection whose request is still in progress stays open.
 */
export class StalledConnections {
  private readonly unansweredRequests = new WeakMap<Duplex, number>()

  /** Called when a request begins to arrive. */
  noteRequestStart(socket: Duplex): void {
    this.unansweredRequests.set(socket, (this.unansweredRequests.get(socket) ?? 0) + 1)
  }

  /** Called before a response is written. From this point, the client has to read. */
  noteResponseStart(socket: Duplex): void {
    this.unansweredRequests.set(socket, (this.unansweredRequests.get(socket) ?? 1) - 1)
  }

  readonly onTimeout = (socket: Duplex): void => {
    if (!this.unansweredRequests.get(socket)) socket.destroy()
  }
}
