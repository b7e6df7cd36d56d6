/** Keys that show what is wrong, and the values that make them on either side. */
export interface Example {
  /** the one key, or partition key and sort key */
  readonly texts: readonly string[]
  readonly left: Readonly<Record<string, string>>
  readonly right: Readonly<Record<string, string>>
  /** Whether these values make these keys, all at once. */
  readonly certain: boolean
}

export function wordOf({ texts, left, right, certain }: Example, one = 'the one', other = 'the other'): string {
  const keys = texts.map(text => JSON.stringify(text)).join(' / ')
  const perhaps = certain ? 'is' : 'may be'
  return `${keys} ${perhaps} ${values(left)} as ${one} and ${values(right)} as ${other}`
}

function values(slots: Readonly<Record<string, string>>): string {
  const list = Object.entries(slots).map(([name, text]) => `${name} ${JSON.stringify(text)}`)
  return list.length === 0 ? 'a constant' : list.join(', ')
}
