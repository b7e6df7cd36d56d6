import type { AttributeValue, Item } from '../dynamodb/attribute-value.js'
import type { ChangeRecord, Identity, StreamRecord } from '../dynamodb/operation-types.js'

/**
 * A record in the format of a Lambda event: binary values in base64, the time in seconds since 1970, some names in
 * lower case.
 */
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

const MS_PER_SECOND = 1000

export function recordToJson({ dynamodb = {}, ...record }: ChangeRecord): string {
  const { ApproximateCreationDateTime: createdAt, ...rest } = dynamodb
  const time = createdAt && { ApproximateCreationDateTime: createdAt.getTime() / MS_PER_SECOND }
  return JSON.stringify({ ...record, dynamodb: { ...time, ...rest } }, (_, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
  )
}

export function recordFromJson({ dynamodb = {}, userIdentity, ...record }: JsonRecord): ChangeRecord {
  const { ApproximateCreationDateTime: createdSeconds, Keys, NewImage, OldImage, ...rest } = dynamodb
  return {
    ...record,
    ...(userIdentity && { userIdentity: toIdentity(userIdentity) }),
    dynamodb: {
      ...rest,
      ...(createdSeconds !== undefined && { ApproximateCreationDateTime: new Date(createdSeconds * MS_PER_SECOND) }),
      ...(Keys && { Keys: toItem(Keys) }),
      ...(NewImage && { NewImage: toItem(NewImage) }),
      ...(OldImage && { OldImage: toItem(OldImage) }),
    },
  }
}

function toIdentity({ principalId, type, ...identity }: NonNullable<JsonRecord['userIdentity']>): Identity {
  return {
    ...(principalId !== undefined && { PrincipalId: principalId }),
    ...(type !== undefined && { Type: type }),
    ...identity,
  }
}

function toItem(json: JsonItem): Item {
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, toAttributeValue(value)]))
}

function toAttributeValue(json: object): AttributeValue {
  const [[type, value] = []] = Object.entries(json)
  switch (type) {
    case 'B':
      return { B: decodeBytes(value) }
    case 'BS':
      return { BS: (value as unknown[]).map(decodeBytes) }
    case 'L':
      return { L: (value as object[]).map(toAttributeValue) }
    case 'M':
      return { M: toItem(value as JsonItem) }
    default:
      return json as AttributeValue
  }
}

function decodeBytes(base64: unknown): Uint8Array {
  return new Uint8Array(Buffer.from(String(base64), 'base64'))
}
