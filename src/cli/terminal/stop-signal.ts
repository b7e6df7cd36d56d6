type StopSignal = 'SIGINT' | 'SIGTERM'

/** The exit codes that shells give to a process that ended by a signal: 128 and the number of the signal. */
export const STOP_EXIT_CODES: Readonly<Record<StopSignal, number>> = { SIGINT: 130, SIGTERM: 143 }

/** The reason of an abort by a signal. */
export class StopSignalError extends Error {
  constructor(readonly signal: StopSignal) {
    super(`stopped by ${signal}`)
  }
}

/** Resolves to the first signal that asks the process to stop. A second Ctrl-C ends the process at once. */
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

/** An abort signal that fires with `Stopped` when the process is asked to stop. */
export function abortOnStop(): AbortSignal {
  const controller = new AbortController()
  waitForStopSignal().then(signal => controller.abort(new StopSignalError(signal)))
  return controller.signal
}
