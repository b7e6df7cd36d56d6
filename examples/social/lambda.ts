import { open, type Store } from 'edgewise'
import { dynamodb } from 'edgewise/aws'
import { answerTo } from './api.js'
import { social } from './graph.js'

/** The part of an event of API Gateway's HTTP API (payload format 2.0) that is used here. */
export interface HttpEvent {
  readonly rawPath: string
  readonly queryStringParameters?: Readonly<Record<string, string | undefined>>
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body?: string
  readonly isBase64Encoded: boolean
  readonly requestContext: { readonly http: { readonly method: string } }
}

export interface HttpResult {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A handler on a store. The graph is opened by the first event, and stays open for those that follow. */
export function handlerOn(makeStore: () => Store, table: string | undefined) {
  let opening: ReturnType<typeof openSocial> | undefined
  const openSocial = () => open(social, makeStore(), table === undefined ? {} : { table })
  return async (event: HttpEvent): Promise<HttpResult> => {
    opening ??= openSocial()
    // What could not be opened is opened again by the next event.
    opening.catch(() => (opening = undefined))
    const { body, isBase64Encoded } = event
    const { status, ...answered } = await answerTo(await opening, {
      method: event.requestContext.http.method,
      path: event.rawPath,
      query: event.queryStringParameters ?? {},
      headers: event.headers,
      body: isBase64Encoded ? Buffer.from(body ?? '', 'base64').toString() : body,
    })
    return { statusCode: status, ...answered }
  }
}

/** What Lambda calls: on DynamoDB, with the table that the environment names. */
export const handler = handlerOn(() => dynamodb(), process.env.TABLE)
