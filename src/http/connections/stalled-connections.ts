import type { Duplex } from 'node:stream'

/**
 * Ends connections on which nothing has moved for the idle time. A client that does not read its answer would otherwise
 * keep the answer in memory for as long as it likes. A connection whose request is still being answered stays.
 */
export class StalledConnections {
  private readonly unansweredRequests = new WeakMap<Duplex, number>()

  /** A request has begun to arrive. */
  noteRequestStart(socket: Duplex): void {
    this.unansweredRequests.set(socket, (this.unansweredRequests.get(socket) ?? 0) + 1)
  }

  /** The answer to a request is about to be written. From now on the client has to read. */
  noteResponseStart(socket: Duplex): void {
    this.unansweredRequests.set(socket, (this.unansweredRequests.get(socket) ?? 1) - 1)
  }

  readonly onTimeout = (socket: Duplex): void => {
    if (!this.unansweredRequests.get(socket)) socket.destroy()
  }
}
