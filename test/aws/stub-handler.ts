import { Readable } from 'node:stream'
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'

/** The settings that the SDK needs to send a request, without an endpoint. */
export const ANYWHERE = { region: 'eu-west-1', credentials: { accessKeyId: 'any', secretAccessKey: 'any' } }

interface Sent {
  readonly hostname: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
}

type Handler = Extract<NonNullable<DynamoDBClientConfig['requestHandler']>, { handle: unknown }>

/** Replaces the network: records each request and returns the same response to all. */
export function answering(statusCode: number, answer: object): { sent: Sent[]; requestHandler: Handler } {
  const sent: Sent[] = []
  const handle = async (request: unknown) => {
    const { hostname, headers: named, body } = request as Sent & { body: Uint8Array }
    sent.push({ hostname, headers: named, body: JSON.parse(Buffer.from(body).toString()) })
    const headers = { 'content-type': 'application/x-amz-json-1.0' }
    return { response: { statusCode, headers, body: Readable.from([Buffer.from(JSON.stringify(answer))]) } }
  }
  return { sent, requestHandler: { handle } as unknown as Handler }
}
