type StopSignal = 'SIGINT' | 'SIGTERM'

/** The exit codes of shells for a process that a signal ended: 128 and the number of the signal. */
export const STOP_EXIT_CODES: Readonly<Record<StopSignal, number>> = { SIGINT: 130, SIGTERM: 143 }

/** The abort reason after a signal. */
export class StopSignalError extends Error {
  constructor(readonly signal: StopSignal) {
    super('edgewise: a signal stopped the command; run the same command again.')
  }
}

/** Resolves to the first signal that stops the process. A second Ctrl-C ends the process at once. */
export function waitForStopSignal(): Promise<StopSignal> {
  return new Promise(resolve => {
    const stop = (signal: StopSignal) => {
      resolve(signal)
      process.once('SIGINT', () => process.exit(STOP_EXIT_CODES.SIGINT))
    }
    process.once('SIGINT', () => stop('SIGINT'))
    process.once('SIGTERM', () => stop('SIGTERM'))
  })
}

/** An abort signal that fires with `StopSignalError` when a signal stops the process. */
export function abortOnStop(): AbortSignal {
  const controller = new AbortController()
  waitForStopSignal().then(signal => controller.abort(new StopSignalError(signal)))
  return controller.signal
}
