// As they are before anybody puts a clock of their own in their place, by which the next turn might never come; whoever
// did so before has marked them. Browsers have only the second.
const { setImmediate, setTimeout } = globalThis
const soon = [setImmediate, setTimeout].find(each => each !== undefined && !('clock' in each))

/** When the rest of the process has had its turn; at once where nothing tells of that. */
export const nextTurn = (): Promise<void> => (soon ? new Promise(resolve => soon(() => resolve())) : Promise.resolve())
