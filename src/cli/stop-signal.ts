const INTERRUPTED = 130

/** Resolves when the process is told to stop. Told once more, it does so at once. */
export function stopSignal(): Promise<void> {
  return new Promise(resolve => {
    const stop = () => {
      resolve()
      process.once('SIGINT', () => process.exit(INTERRUPTED))
    }
    process.once('SIGINT', stop)
    process.once('SIGTERM', stop)
  })
}
