// The original timers: fake timers that a test installs later might never fire. Fake timers that were installed before
// this module loaded carry a `clock` property. Browsers have only `setTimeout`.
const { setImmediate, setTimeout } = globalThis
const scheduleTurn = [setImmediate, setTimeout].find(scheduler => scheduler !== undefined && !('clock' in scheduler))

/** Resolves in the next turn of the event loop, or at once where the runtime has no timers. */
export const nextEventLoopTurn = (): Promise<void> =>
  scheduleTurn ? new Promise(resolve => scheduleTurn(() => resolve())) : Promise.resolve()
