/** In the words of the SDK's handler, today's and those of before. */
const NO_CONNECTION_MESSAGE = /establish(ing)? a connection/

/**
 * A request that got no connection in time, or none of the client's sockets, was never on its way. The SDK names it as it
 * names an answer that did not come, so it is told by Node's code for a connection that did not come about.
 */
export async function withConnectionErrorCode<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    const { name, message } = (error ?? {}) as Partial<Error>
    if (name === 'TimeoutError' && NO_CONNECTION_MESSAGE.test(message ?? ''))
      Object.assign(error as Error, { code: 'ECONNREFUSED' })
    throw error
  }
}
