/** Does something with each, no more than a few at once, in their order. Where one fails, those under way are waited for. */
export async function inTurn<T>(
  all: readonly T[],
  most: number,
  work: (each: T, at: number) => Promise<void>,
): Promise<void> {
  let begun = 0
  const worker = async () => {
    try {
      while (begun < all.length) {
        const at = begun++
        await work(all[at]!, at)
      }
    } finally {
      begun = all.length
    }
  }
  const workers = Array.from({ length: Math.min(most, all.length) }, worker)
  await Promise.allSettled(workers)
  await Promise.all(workers)
}
