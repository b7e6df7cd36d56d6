/** The timeout messages of the SDK's HTTP handler, in current and in earlier versions. */
const NO_CONNECTION_MESSAGE = /establish(ing)? a connection/

/**
 * Detects a request that was never sent because no connection or socket was available in time. The SDK reports it under
 * the same name as a response timeout, so this assigns Node's code for a failed connection.
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
