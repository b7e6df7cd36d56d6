import type { Call } from 'edgewise'

/** Runs calls and sums the requests and read units that they consume. */
export class Meter {
  requests = 0
  units = 0

  async take<T>(call: Call<T>): Promise<T> {
    const { value, requests, consumed } = await call.run()
    this.requests += requests
    this.units += consumed.total
    return value
  }
}
