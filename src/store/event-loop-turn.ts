// As they are before anybody puts a clock of their own in their place, by which the next turn might never come; whoever
// did so before has marked them. Browsers have only the second.
const { setImmediate, setTimeout } = globalThis
const scheduleTurn = [setImmediate, setTimeout].find(scheduler => scheduler !== undefined && !('clock' in scheduler))

/** When the rest of the process has had its turn; at once where nothing tells of that. */
export const nextEventLoopTurn = (): Promise<void> =>
  scheduleTurn ? new Promise(resolve => scheduleTurn(() => resolve())) : Promise.resolve()
