import { open, type Store } from 'edgewise'
import { social } from '../../../examples/social/graph.js'
import { handlerOn } from '../../../examples/social/lambda.js'
import { serveSocial } from '../../../examples/social/server.js'

export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The parsed body, if any. */
  readonly content: unknown
}

export interface Asking {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** An entry point of the API. */
export interface Door {
  ask(method: string, path: string, asking?: Asking): Promise<Answered>
  close(): Promise<void>
}

const contentOf = (body: string): unknown => (body === '' ? undefined : JSON.parse(body))
const textOf = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body))

/** Calls the function like API Gateway, with the request as an event. */
export async function throughLambda(store: Store): Promise<Door> {
  const handler = handlerOn(() => store, undefined)
  return {
    async ask(method, target, { body, headers = {} } = {}) {
      const [rawPath = '', query = ''] = target.split('?')
      const { statusCode, ...answered } = await handler({
        rawPath,
        queryStringParameters: Object.fromEntries(new URLSearchParams(query)),
        headers,
        ...(body !== undefined && { body: btoa(textOf(body)) }),
        isBase64Encoded: body !== undefined,
        requestContext: { http: { method } },
      })
      return { status: statusCode, headers: answered.headers, content: contentOf(answered.body) }
    },
    close: async () => undefined,
  }
}

/** Sends requests over HTTP to a local server. */
export async function throughServer(store: Store): Promise<Door> {
  const { url, close } = await serveSocial(await open(social, store), 0)
  return {
    async ask(method, path, { body, headers = {} } = {}) {
      const response = await fetch(url + path, { method, headers, ...(body !== undefined && { body: textOf(body) }) })
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        content: contentOf(await response.text()),
      }
    },
    close,
  }
}
