interface ValueByType {
  S: string
  N: string
  B: Uint8Array
  SS: string[]
  NS: string[]
  BS: Uint8Array[]
  M: Record<string, AttributeValue>
  L: AttributeValue[]
  NULL: boolean
  BOOL: boolean
  /**
   * A type that this version of an SDK does not know. Stores never return it; it exists so that the SDK's own responses
   * are assignable.
   */
  // biome-ignore lint/suspicious/noExplicitAny: the AWS SDK declares it so, and its types must fit ours
  $unknown: [string, any]
}

type SingleMember<K extends keyof ValueByType> = {
  [P in keyof ValueByType as P extends K ? P : never]: ValueByType[P]
} & {
  [P in keyof ValueByType as P extends K ? never : P]?: never
}

/** A DynamoDB value: exactly one member, whose name is the type. */
export type AttributeValue = { [K in keyof ValueByType]: SingleMember<K> }[keyof ValueByType]

/** An item in attribute values, by attribute name. */
export type Item = Record<string, AttributeValue>
/** The key attributes of an item. */
export type Key = Record<string, AttributeValue>

/** The DynamoDB types, under their names in attribute values. */
export type AttributeType = Exclude<keyof ValueByType, '$unknown'>
export type KeyAttributeType = 'S' | 'N' | 'B'

export const ATTRIBUTE_TYPES: readonly AttributeType[] = ['S', 'N', 'B', 'SS', 'NS', 'BS', 'M', 'L', 'NULL', 'BOOL']

/** The type of a value that was already checked to have exactly one member. */
export function attributeTypeOf(value: AttributeValue): AttributeType {
  for (const type in value) return type as AttributeType
  throw new TypeError("attribute value: it has no member; give one, such as { S: 'text' }.")
}
