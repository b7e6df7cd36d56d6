/**
 * Runs an async function for each element, in order, a few at a time. When one fails, the function waits for those in
 * progress and then rejects.
 */
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
