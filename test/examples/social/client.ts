import { expect } from 'vitest'
import type { Door } from './entry-points.js'

const SETTLED_MS = 20_000

export interface Listed {
  readonly items: readonly Record<string, unknown>[]
  readonly cursor?: string
}

/** Creates post ids like a client: ULIDs in the order of their numbers. */
export const idOf = (number: number) => `01ARZ3NDEKTSV4RRFFQ69G${String(number).padStart(4, '0')}`

/** The requests of users through one entry point of the API. */
export class Client {
  constructor(private readonly door: () => Door) {}

  ask: Door['ask'] = (...asked) => this.door().ask(...asked)

  listed = async (path: string) => (await this.ask('GET', path)).content as Listed

  userOf = async (handle: string) => (await this.ask('GET', `/users/${handle}`)).content

  postOf = async (number: number) => (await this.ask('GET', `/posts/${idOf(number)}`)).content

  /** Waits for the expected result, because the stream updates derived data later. */
  becomes = (read: () => Promise<unknown>, expected: object) =>
    expect.poll(read, { timeout: SETTLED_MS }).toMatchObject(expected)

  signUp = (handle: string) =>
    this.ask('POST', '/users', { body: { handle, email: `${handle}@example.com`, name: handle.toUpperCase() } })

  publish = (number: number, author: string, text = `number ${number}`) =>
    this.ask('PUT', `/posts/${idOf(number)}`, { body: { author, text } })
}
