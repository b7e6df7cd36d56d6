/** Does something with each, no more than a few at once, in their order. */
export async function inTurn<T>(
  all: readonly T[],
  most: number,
  work: (each: T, at: number) => Promise<void>,
): Promise<void> {
  let begun = 0
  const worker = async () => {
    while (begun < all.length) {
      const at = begun++
      await work(all[at]!, at)
    }
  }
  await Promise.all(Array.from({ length: Math.min(most, all.length) }, worker))
}
