import { open, type Store } from 'edgewise'
import { dynamodb } from 'edgewise/aws'
import { answerTo } from './api.js'
import { social } from './graph.js'

/** The members of an API Gateway HTTP API event (payload format 2.0) that this example uses. */
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

/** Creates a handler on a store. The first event opens the graph, and later events reuse it. */
export function handlerOn(makeStore: () => Store, table: string | undefined) {
  let opening: ReturnType<typeof openSocial> | undefined
  const openSocial = () => open(social, makeStore(), table === undefined ? {} : { table })
  return async (event: HttpEvent): Promise<HttpResult> => {
    opening ??= openSocial()
    // After a failure, the next event opens the graph again.
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

/** The Lambda handler on DynamoDB. An environment variable contains the table name. */
export const handler = handlerOn(() => dynamodb(), process.env.TABLE)
