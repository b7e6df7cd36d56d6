/** Does something with each, no more than a few at once, in their order. Where one fails, those under way are waited for. */
export async function forEachConcurrently<T>(
  items: readonly T[],
  limit: number,
  work: (each: T, at: number) => Promise<void>,
): Promise<void> {
  let started = 0
  const worker = async () => {
    try {
      while (started < items.length) {
        const at = started++
        await work(items[at]!, at)
      }
    } finally {
      started = items.length
    }
  }
  const workers = Array.from({ length: Math.min(limit, items.length) }, worker)
  await Promise.allSettled(workers)
  await Promise.all(workers)
}
