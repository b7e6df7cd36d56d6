import type { AttributeValue, Item } from '../dynamodb/attribute-value.js'
import type { ChangeRecord, Identity, StreamRecord } from '../dynamodb/operations/streams.js'

/** A record as Lambda gives it in its event: bytes as base64, the time as seconds since 1970, names in lower case. */
export interface JsonRecord extends Omit<ChangeRecord, 'dynamodb' | 'userIdentity'> {
  readonly userIdentity?:
    | (Identity & { readonly principalId?: string | undefined; readonly type?: string | undefined })
    | undefined
  readonly dynamodb?: JsonStreamRecord | undefined
}

interface JsonStreamRecord
  extends Omit<StreamRecord, 'ApproximateCreationDateTime' | 'Keys' | 'NewImage' | 'OldImage'> {
  readonly ApproximateCreationDateTime?: number | undefined
  readonly Keys?: JsonItem | undefined
  readonly NewImage?: JsonItem | undefined
  readonly OldImage?: JsonItem | undefined
}

type JsonItem = Readonly<Record<string, object>>

const MS_OF_SECOND = 1000

export function recordToJson({ dynamodb = {}, ...record }: ChangeRecord): string {
  const { ApproximateCreationDateTime: at, ...rest } = dynamodb
  const time = at && { ApproximateCreationDateTime: at.getTime() / MS_OF_SECOND }
  return JSON.stringify({ ...record, dynamodb: { ...time, ...rest } }, (_, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
  )
}

export function recordFromJson({ dynamodb = {}, userIdentity, ...record }: JsonRecord): ChangeRecord {
  const { ApproximateCreationDateTime: at, Keys, NewImage, OldImage, ...rest } = dynamodb
  return {
    ...record,
    ...(userIdentity && { userIdentity: identityOf(userIdentity) }),
    dynamodb: {
      ...rest,
      ...(at !== undefined && { ApproximateCreationDateTime: new Date(at * MS_OF_SECOND) }),
      ...(Keys && { Keys: itemOf(Keys) }),
      ...(NewImage && { NewImage: itemOf(NewImage) }),
      ...(OldImage && { OldImage: itemOf(OldImage) }),
    },
  }
}

function identityOf({ principalId, type, ...given }: NonNullable<JsonRecord['userIdentity']>): Identity {
  return {
    ...(principalId !== undefined && { PrincipalId: principalId }),
    ...(type !== undefined && { Type: type }),
    ...given,
  }
}

function itemOf(json: JsonItem): Item {
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, attributeOf(value)]))
}

function attributeOf(json: object): AttributeValue {
  const [[type, value] = []] = Object.entries(json)
  switch (type) {
    case 'B':
      return { B: bytesOf(value) }
    case 'BS':
      return { BS: (value as unknown[]).map(bytesOf) }
    case 'L':
      return { L: (value as object[]).map(attributeOf) }
    case 'M':
      return { M: itemOf(value as JsonItem) }
    default:
      return json as AttributeValue
  }
}

function bytesOf(base64: unknown): Uint8Array {
  return new Uint8Array(Buffer.from(String(base64), 'base64'))
}
