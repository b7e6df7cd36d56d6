import fc from 'fast-check'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { lambdaHandler } from '../../src/derive/lambda.js'
import type { HandleResult } from '../../src/derive/port.js'
import { recordFromJson, recordToJson } from '../../src/derive/record-json.js'
import type { ChangeRecord } from '../../src/dynamodb/operation-types.js'
import { anyAttributes } from '../arbitraries.js'

/** The example event of Lambda's documentation, with bytes and a set of bytes. */
const EVENT = {
  Records: ['1405400000000002063282832', '1405400000000002063282833', '1405400000000002063282834'].map(
    (SequenceNumber, at) => ({
      eventID: `e${at}`,
      eventName: 'MODIFY' as const,
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: 'us-east-1',
      dynamodb: {
        ApproximateCreationDateTime: 1479499740.5,
        Keys: { PK: { S: `movie#${at}` }, SK: { S: '#' } },
        NewImage: {
          PK: { S: `movie#${at}` },
          poster: { B: 'AP8B' },
          frames: { BS: ['AQ==', 'Ag=='] },
          nested: { L: [{ M: { thumb: { B: 'Aw==' } } }, { NULL: true }, { BOOL: false }] },
          tags: { SS: ['a', 'b'] },
        },
        SequenceNumber,
        SizeBytes: 26,
        StreamViewType: 'NEW_AND_OLD_IMAGES' as const,
      },
      eventSourceARN: 'arn:aws:dynamodb:us-east-1:123456789012:table/cinema/stream/2026-01-01T00:00:00.000',
    }),
  ),
}

/** A record with the types of `@types/aws-lambda`. */
interface DynamoDBRecord {
  eventName?: 'INSERT' | 'MODIFY' | 'REMOVE' | undefined
  dynamodb?: { SequenceNumber?: string | undefined; NewImage?: Record<string, { S: string }> | undefined } | undefined
}

function consumer(failing: readonly number[] = []) {
  const seen: ChangeRecord[] = []
  return {
    seen,
    async handle(records: readonly ChangeRecord[]): Promise<HandleResult> {
      seen.push(...records)
      const failures = failing.map(at => ({ record: records[at]!, error: new Error(`no ${at}`) }))
      return { applied: records.length - failures.length, skipped: 0, failures }
    },
  }
}

describe('a handler for Lambda', () => {
  it('has a type that @types/aws-lambda accepts, also with exact optional properties', () => {
    expectTypeOf(lambdaHandler).returns.toExtend<(event: { Records: DynamoDBRecord[] }) => Promise<object>>()
  })

  it('converts the records to the types of the stream: bytes as bytes, times as dates', async () => {
    const made = consumer()
    await expect(lambdaHandler(made)(EVENT)).resolves.toEqual({ batchItemFailures: [] })
    expect(made.seen).toHaveLength(3)
    const { dynamodb, eventName } = made.seen[0]!
    expect(eventName).toBe('MODIFY')
    expect(dynamodb?.ApproximateCreationDateTime).toEqual(new Date(1479499740500))
    expect(dynamodb?.NewImage).toEqual({
      PK: { S: 'movie#0' },
      poster: { B: new Uint8Array([0, 255, 1]) },
      frames: { BS: [new Uint8Array([1]), new Uint8Array([2])] },
      nested: { L: [{ M: { thumb: { B: new Uint8Array([3]) } } }, { NULL: true }, { BOOL: false }] },
      tags: { SS: ['a', 'b'] },
    })
  })

  it('returns the first failed record, so that Lambda retries from it, and reports every failure', async () => {
    const told: string[] = []
    const onFailure = (error: unknown, sequence: string) => told.push(`${sequence} ${error}`)
    const answer = await lambdaHandler(consumer([1, 2]), { onFailure })(EVENT)
    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: '1405400000000002063282833' }] })
    expect(told).toEqual(['1405400000000002063282833 Error: no 1', '1405400000000002063282834 Error: no 2'])
  })

  it('awaits onFailure, because Lambda stops the process after the response', async () => {
    const told: string[] = []
    const onFailure = async (_: unknown, sequence: string) => {
      await new Promise(resolve => setTimeout(resolve, 1))
      told.push(sequence)
    }
    await lambdaHandler(consumer([1, 2]), { onFailure })(EVENT)
    expect(told).toHaveLength(2)
    const lost = new Error('nobody is there')
    const answer = lambdaHandler(consumer([1]), { onFailure: () => Promise.reject(lost) })(EVENT)
    await expect(answer).rejects.toBe(lost)
  })

  it.each([
    ['of a queue', { Records: [{ messageId: '1', eventSource: 'aws:sqs', body: '{}' }] }],
    ['of Kinesis', { Records: [{ eventSource: 'aws:kinesis', kinesis: { sequenceNumber: '1', data: 'e30=' } }] }],
    ['with something else among its records', { Records: [...EVENT.Records, null] }],
    ['whose records are no list', { Records: {} }],
    ['that is none', undefined],
  ])('rejects an event %s instead of treating it as handled', async (_, event) => {
    const made = consumer()
    await expect(lambdaHandler(made)(event as never)).rejects.toMatchObject({ code: 'call.argument' })
    expect(made.seen).toEqual([])
  })

  it('requires a consumer', () => {
    for (const what of [undefined, {}, { layout: {} }])
      expect(() => lambdaHandler(what as never)).toThrow(expect.objectContaining({ code: 'call.argument' }))
  })

  it('accepts an event without records', async () => {
    await expect(lambdaHandler(consumer())({})).resolves.toEqual({ batchItemFailures: [] })
  })

  it('restores a record from its JSON form', () => {
    const record = recordFromJson(EVENT.Records[0]!)
    expect(recordFromJson(JSON.parse(recordToJson(record)))).toEqual(record)
    expect(JSON.parse(recordToJson(record))).toEqual(EVENT.Records[0])
  })

  it('restores every type of attribute value from its JSON form', () => {
    fc.assert(
      fc.property(anyAttributes, anyAttributes, (OldImage, NewImage) => {
        const record = { eventName: 'MODIFY' as const, dynamodb: { OldImage, NewImage, SequenceNumber: '1' } }
        expect(recordFromJson(JSON.parse(recordToJson(record)))).toEqual(record)
      }),
    )
  })
})
